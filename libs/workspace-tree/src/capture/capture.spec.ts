import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { codesOf } from '../testing/arbitraries.ts';
import { fill, withFolder } from '../testing/folders.ts';
import { type Capture, type CaptureOptions, capture } from './capture.ts';

const pathsOf = ({ manifest }: Capture): readonly string[] => [...manifest.keys()];

/** Captures until all files are in the cache. Files that changed within the last clock tick are not cached at first. */
async function captureSettled(root: string): Promise<Capture> {
  let captured = await capture(root);
  while (captured.stats.cached < captured.stats.files) captured = await capture(root, { previous: captured.cache });
  return captured;
}

/** Root may read every file, so under root these tests switch to another user. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('capture', () => {
  it('captures files, executable files and links, but neither folders nor .git', () =>
    withFolder(async (root) => {
      await fill(root, {
        'b.txt': 'text',
        'bin/tool*': '#!/bin/sh\n',
        'bin/alias': '-> ./tool',
        'up/up/link': '-> ../../b.txt',
        '.git/config': 'x',
        'sub/.git': 'gitdir: elsewhere',
      });
      await mkdir(join(root, 'empty'));
      const captured = await capture(root);
      expect([...captured.manifest].map(([path, { mode, size }]) => [path, mode, size])).toEqual([
        ['b.txt', '644', 4],
        ['bin/alias', 'link', 6],
        ['bin/tool', '755', 10],
        ['up/up/link', 'link', 11],
      ]);
      expect(Buffer.from(await captured.read('bin/alias')).toString()).toBe('./tool');
      expect(captured.stats).toEqual({ files: 4, bytes: 31, hashed: 4, cached: 0 });
    }));

  it('skips what .reinsignore and the caller ignore, but captures .reinsignore itself', () =>
    withFolder(async (root) => {
      await fill(root, {
        '.reinsignore': 'node_modules/\n*.log\n!keep.log\n/only-here\n',
        'a.log': '',
        'keep.log': '',
        'only-here': '',
        'sub/only-here': '',
        'node_modules/x/index.js': '',
        'node_modules/keep.log': '',
        'sub/.reinsignore': '!b.log\n/c.txt\n',
        'sub/b.log': '',
        'sub/c.txt': '',
        'sub/deep/c.txt': '',
        'build/out': '',
      });
      const captured = await capture(root, { ignore: ['/build/'] });
      expect(pathsOf(captured)).toEqual([
        '.reinsignore',
        'keep.log',
        'sub/.reinsignore',
        'sub/b.log',
        'sub/deep/c.txt',
        'sub/only-here',
      ]);
    }));

  it.each([
    ['an absolute link', '-> /etc/passwd'],
    ['a link above the root', '-> ../../x'],
    ['a link with ".." after a name', '-> other/../../x'],
  ])('rejects %s, or skips and reports it', (_, link) =>
    withFolder(async (root) => {
      await fill(root, { 'a/bad': link, 'a/good': 'x' });
      expect(await codesOf(() => capture(root))).toEqual(['tree_entry_refused']);
      const captured = await capture(root, { refused: 'leave-out' });
      expect(pathsOf(captured)).toEqual(['a/good']);
      expect(captured.leftOut.map(({ path }) => path)).toEqual(['a/bad']);
    }),
  );

  it('rejects files without read permission and names them', () =>
    withFolder(async (root) => {
      await fill(root, { 'closed/x': '', secret: '', open: '', 'sub/.reinsignore': '' });
      await chmod(join(root, 'closed'), 0);
      await chmod(join(root, 'secret'), 0);
      await chmod(join(root, 'sub/.reinsignore'), 0);
      await chmod(root, 0o755);
      const captured = await asOrdinaryUser(() => capture(root, { refused: 'leave-out' }));
      expect(pathsOf(captured)).toEqual(['open']);
      expect(captured.leftOut.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
        'tree_entry_refused closed',
        'tree_entry_refused secret',
        'tree_entry_refused sub/.reinsignore',
      ]);
      await chmod(join(root, 'closed'), 0o755);
    }));

  it('reports a missing folder', () =>
    withFolder(async (root) => {
      await fill(root, { file: '' });
      expect(await codesOf(() => capture(join(root, 'none')))).toEqual(['tree_not_found']);
      expect(await codesOf(() => capture(join(root, 'file')))).toEqual(['tree_not_found']);
    }));

  it('does not follow a link to a folder', () =>
    withFolder(async (root) => {
      await fill(root, { 'a/x': '1', link: '-> a' });
      expect(pathsOf(await capture(root))).toEqual(['a/x', 'link']);
    }));

  it('rejects a socket and invalid names, all in one error', () =>
    withFolder(async (root) => {
      const server = createServer().listen(join(root, 'socket'));
      await once(server, 'listening');
      await fill(root, { 'back\\slash': '', 'line\nbreak': '' });
      await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), '');
      const codes = await codesOf(() => capture(root));
      server.close();
      expect([...codes].sort()).toEqual([
        'tree_entry_refused',
        'tree_path_refused',
        'tree_path_refused',
        'tree_path_refused',
      ]);
    }));

  it.each<[string, CaptureOptions['limits']]>([
    ['files', { maxFiles: 2 }],
    ['bytes', { maxBytes: 5 }],
    ['bytes in one file', { maxFileBytes: 1 }],
    ['bytes in a path', { maxPathBytes: 3 }],
  ])('rejects too many %s', (_, limits) =>
    withFolder(async (root) => {
      await fill(root, { 'a/1': 'aa', 'a/22': 'bb', 'a/33': 'cc' });
      const codes = await codesOf(() => capture(root, limits ? { limits } : {}));
      expect(new Set(codes)).toEqual(new Set(['tree_limit_exceeded']));
    }),
  );

  it('names the largest folder when there are too many files', () =>
    withFolder(async (root) => {
      await fill(root, { a: '', 'node_modules/1': '', 'node_modules/2': '', 'node_modules/3': '' });
      await expect(capture(root, { limits: { maxFiles: 2 } })).rejects.toMatchObject({
        code: 'tree_limit_exceeded',
        path: 'node_modules',
        hint: expect.stringContaining('.reinsignore'),
      });
    }));
});

describe('the cache of a capture', () => {
  it('avoids reading unchanged files, and is plain JSON', () =>
    withFolder(async (root) => {
      await fill(root, { a: 'one', 'b/c*': 'two', __proto__x: '' });
      const first = await captureSettled(root);
      const cache = JSON.parse(JSON.stringify(first.cache)) as typeof first.cache;
      const second = await capture(root, { previous: cache });
      expect(second.stats).toMatchObject({ hashed: 0, cached: 3 });
      expect(second.treeId).toBe(first.treeId);
    }));

  it('detects a change that keeps size and modification time', () =>
    withFolder(async (root) => {
      await fill(root, { a: 'one', b: 'two' });
      const first = await captureSettled(root);
      const { atime, mtime } = await stat(join(root, 'a'));
      await writeFile(join(root, 'a'), 'uno');
      await utimes(join(root, 'a'), atime, mtime);
      const second = await capture(root, { previous: first.cache });
      expect(second.stats).toMatchObject({ hashed: 1, cached: 1 });
      expect(second.treeId).not.toBe(first.treeId);
    }));

  it('detects a file that replaces another one', () =>
    withFolder(async (root) => {
      await fill(root, { a: 'one', b: 'two' });
      const first = await captureSettled(root);
      await rename(join(root, 'b'), join(root, 'a'));
      const second = await capture(root, { previous: first.cache });
      expect([...second.manifest]).toEqual([['a', first.manifest.get('b')]]);
    }));
});

describe('a folder that changes', () => {
  it('is rejected while it keeps changing', () =>
    withFolder(async (root) => {
      await fill(root, { a: '', b: '', c: '' });
      // Writes in every turn of the event loop, so between any two reads of the file.
      let turn: NodeJS.Immediate;
      const write = (): void => {
        appendFileSync(join(root, 'a'), 'x');
        turn = setImmediate(write);
      };
      write();
      const codes = await codesOf(() => capture(root)).finally(() => clearImmediate(turn));
      expect(codes[0]).toBe('tree_changed');
      expect(await codesOf(() => capture(root))).toEqual([]);
    }));

  it('never returns other content than was captured', () =>
    withFolder(async (root) => {
      await fill(root, { a: 'one', b: 'two', c: 'three', d: 'four' });
      const captured = await capture(root);
      await writeFile(join(root, 'a'), 'uno');
      await unlink(join(root, 'b'));
      await rm(join(root, 'c'));
      await symlink('d', join(root, 'c'));
      for (const path of ['a', 'b', 'c']) expect(await codesOf(() => captured.read(path))).toEqual(['tree_changed']);
      expect(Buffer.from(await captured.read('d')).toString()).toBe('four');
      expect(await codesOf(() => captured.read('e'))).toEqual(['tree_not_found']);
      expect(await readFile(join(root, 'd'), 'utf8')).toBe('four');
    }));
});
