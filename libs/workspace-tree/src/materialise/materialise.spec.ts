import { chmod, link, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { capture } from '../capture/capture.ts';
import { type TreeEntry, treeFromEntries } from '../manifest/entries.ts';
import { MemoryBlobs } from '../store/memory-blobs.ts';
import { TreeStore } from '../store/tree-store.ts';
import { codesOf, entryLists } from '../testing/arbitraries.ts';
import { fill, withFolder } from '../testing/folders.ts';
import type { Tree } from '../tree.ts';
import { materialise } from './materialise.ts';

const tree = (...entries: TreeEntry[]): Tree => treeFromEntries(entries);
const text = (path: string, content: string, mode: TreeEntry['mode'] = '644'): TreeEntry => ({ path, content, mode });

describe('materialise', () => {
  it('gives the same tree when captured again, also through a store and over existing files', async () => {
    await fc.assert(
      fc.asyncProperty(entryLists, entryLists, (before, after) =>
        withFolder(async (root) => {
          const dir = join(root, 'new', 'folder');
          const store = new TreeStore(new MemoryBlobs());
          const [first, second] = [treeFromEntries(before), treeFromEntries(after)];
          await store.put(first);
          await store.put(second, { base: [first.treeId] });
          await materialise(await store.open(first.treeId), dir);
          expect((await capture(dir)).treeId).toBe(first.treeId);
          const { cache } = await materialise(await store.open(second.treeId), dir, { prune: true });
          const captured = await capture(dir, { previous: cache });
          expect([...captured.manifest]).toEqual([...second.manifest]);
          expect(captured.treeId).toBe(second.treeId);
        }),
      ),
      { numRuns: 30 },
    );
  });

  it('sets contents and modes, independent of the umask', () =>
    withFolder(async (root) => {
      const mask = process.umask(0o077);
      try {
        await materialise(tree(text('a', 'x'), text('b', 'y', '755'), text('c/d', '../a', 'link')), root);
      } finally {
        process.umask(mask);
      }
      expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o644);
      expect((await stat(join(root, 'b'))).mode & 0o777).toBe(0o755);
      expect(await readlink(join(root, 'c/d'))).toBe('../a');
      expect((await readdir(root)).sort()).toEqual(['a', 'b', 'c']);
    }));

  it('writes only files that differ', () =>
    withFolder(async (root) => {
      const all = tree(text('same', 'x'), text('text', 'y'), text('mode', 'z', '755'), text('l', 'same', 'link'));
      await materialise(all, root);
      await writeFile(join(root, 'text'), 'Y');
      await chmod(join(root, 'mode'), 0o600);
      const before = await lstat(join(root, 'same'));
      const result = await materialise(all, root);
      expect([...result.written].sort()).toEqual(['mode', 'text']);
      expect(result.unchanged).toBe(2);
      expect((await lstat(join(root, 'same'))).ino).toBe(before.ino);
    }));

  it('keeps other files, and removes them on request unless they are ignored', () =>
    withFolder(async (root) => {
      const wanted = tree(text('a', 'x'), text('.reinsignore', '*.log\n'));
      await fill(root, { 'old/file': '', '.git/config': '', 'run.log': '', 'cache/x': '', 'logs/y.log': '' });
      expect((await materialise(wanted, root)).removed).toEqual([]);
      expect(await readdir(join(root, 'old'))).toEqual(['file']);
      const { removed } = await materialise(wanted, root, { prune: true, ignore: ['/cache/'] });
      expect(removed).toEqual(['old/file']);
      expect((await readdir(root)).sort()).toEqual(['.git', '.reinsignore', 'a', 'cache', 'logs', 'run.log']);
    }));

  it('replaces entries that block a path of the tree', () =>
    withFolder(async (root) => {
      await fill(root, { a: 'a file', b: 'a file', 'c/x': 'in a folder' });
      await mkdir(join(root, 'empty'));
      const wanted = tree(text('a/b', '1'), text('b', '2'), text('c', '3'), text('empty', '4'));
      expect(await codesOf(() => materialise(wanted, root))).toEqual(['tree_path_refused']);
      expect(await readFile(join(root, 'c/x'), 'utf8')).toBe('in a folder');
      await materialise(wanted, root, { prune: true });
      expect((await capture(root)).treeId).toBe(wanted.treeId);
    }));

  it('never writes through a symbolic or hard link', () =>
    withFolder(async (outer) => {
      const [root, outside] = [join(outer, 'root'), join(outer, 'outside')];
      await fill(outside, { secret: 'untouched', shared: 'untouched' });
      await mkdir(root);
      await symlink(outside, join(root, 'sub'));
      await symlink(join(outside, 'secret'), join(root, 'file'));
      await link(join(outside, 'shared'), join(root, 'shared'));
      await materialise(tree(text('sub/secret', 'x'), text('file', 'y'), text('shared', 'z')), root);
      expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('untouched');
      expect(await readFile(join(outside, 'shared'), 'utf8')).toBe('untouched');
      expect((await lstat(join(root, 'sub'))).isDirectory()).toBe(true);
      expect(await readFile(join(root, 'sub/secret'), 'utf8')).toBe('x');
    }));

  it('removes a link when pruning, but not its target', () =>
    withFolder(async (outer) => {
      const [root, outside] = [join(outer, 'root'), join(outer, 'outside')];
      await fill(outside, { kept: 'x' });
      await mkdir(root);
      await symlink(outside, join(root, 'away'));
      expect((await materialise(tree(), root, { prune: true })).removed).toEqual(['away']);
      expect(await readdir(outside)).toEqual(['kept']);
      expect(await readdir(root)).toEqual([]);
    }));
});

describe('a hostile tree', () => {
  const file = tree(text('x', 'bad')).manifest.get('x');
  const hostile = (...paths: string[]): Tree => ({
    treeId: '0'.repeat(64),
    manifest: new Map(paths.map((path) => [path, file as NonNullable<typeof file>])),
    read: async () => Buffer.from('bad'),
  });

  it.each([['../x'], ['/tmp/x'], ['a/../../x'], ['.git/hooks/post-checkout'], ['.GIT/x'], ['a\0b'], ['..\\x']])(
    'is rejected with the path %j before anything is written',
    (path) =>
      withFolder(async (root) => {
        expect(await codesOf(() => materialise(hostile('fine', path), root))).toEqual(['tree_path_refused']);
        expect(await readdir(root)).toEqual([]);
      }),
  );

  it('is rejected with paths that are equal on other file systems', () =>
    withFolder(async (root) => {
      expect(await codesOf(() => materialise(hostile('a', 'A/b'), root))).toEqual(['tree_path_refused']);
      expect(await codesOf(() => materialise(hostile('a', 'a/b'), root))).toEqual(['tree_path_refused']);
    }));

  it.each(['/etc', '../x', 'd/../../x'])('cannot create a link to %s, or keep an existing one', (target) =>
    withFolder(async (root) => {
      const honest = tree(text('l', 'd', 'link'));
      const bytes = Buffer.from(target);
      const bad = treeFromEntries([text('l', target)]).manifest.get('l');
      const lying: Tree = {
        ...honest,
        manifest: new Map([['l', { mode: 'link', sha256: bad?.sha256 ?? '', size: bytes.byteLength }]]),
        read: async () => bytes,
      };
      expect(await codesOf(() => materialise(lying, root))).toEqual(['tree_entry_refused']);
      expect(await readdir(root)).toEqual([]);
      await symlink(target, join(root, 'l'));
      expect(await codesOf(() => materialise(lying, root))).toEqual(['tree_entry_refused']);
      await rm(join(root, 'l'));
    }),
  );

  it('leaves no partial file when a content cannot be read', () =>
    withFolder(async (root) => {
      await fill(root, { a: 'old' });
      const wanted = tree(text('a', 'new'));
      const torn: Tree = { ...wanted, read: () => Promise.reject(new Error('torn')) };
      await expect(materialise(torn, root)).rejects.toThrow('torn');
      expect(await readdir(root)).toEqual(['a']);
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('old');
    }));
});
