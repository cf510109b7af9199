import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { materialise } from '../materialise/materialise.ts';
import { withFolder } from '../testing/folders.ts';
import { treeFromEntries } from './entries.ts';
import { followLinks } from './follow-links.ts';
import { staysInside } from './links.ts';

/** Path → content. `-> x` is a link to x. */
const treeOf = (files: Readonly<Record<string, string>>) =>
  treeFromEntries(
    Object.entries(files).map(([path, content]) =>
      content.startsWith('-> ') ? { path, content: content.slice(3), mode: 'link' } : { path, content },
    ),
  );

async function seen(files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const { manifest, read } = await followLinks(treeOf(files));
  const texts = [...manifest.keys()].map(async (path) => [path, Buffer.from(await read(path)).toString()] as const);
  return Object.fromEntries(await Promise.all(texts));
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

/** Whether one of the folders in the path is a link to a folder that contains it. */
async function leadsBack(root: string, path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const real = await realpath(join(root, folder));
    const around = await realpath(join(root, dirname(folder)));
    if (`${around}/`.startsWith(`${real}/`)) return true;
  }
  return false;
}

describe('a tree with links resolved', () => {
  it('shows a link as the file that it refers to, directly or through other links', async () => {
    expect(
      await seen({ 'AGENTS.md': '-> docs/agents.md', 'docs/agents.md': '-> ../real.md', 'real.md': 'text' }),
    ).toEqual({
      'AGENTS.md': 'text',
      'docs/agents.md': 'text',
      'real.md': 'text',
    });
  });

  it('shows the contents of a linked folder, with their original paths', async () => {
    const files = { 'skills/a': '-> ../shared/a', 'shared/a/SKILL.md': 'skill', 'shared/a/x/y': 'more' };
    expect(await seen(files)).toMatchObject({ 'skills/a/SKILL.md': 'skill', 'skills/a/x/y': 'more' });
    const { origin, treeId } = await followLinks(treeOf(files));
    expect(origin('skills/a/x/y')).toBe('shared/a/x/y');
    expect(origin('shared/a/x/y')).toBe('shared/a/x/y');
    expect(treeId).toBe(treeOf(files).treeId);
  });

  it('omits dangling links, and links to a folder that contains them', async () => {
    const files = { gone: '-> nowhere', one: '-> two', two: '-> one', 'a/self': '-> .', 'a/up': '-> ../a', 'a/b': 'b' };
    expect(await seen(files)).toEqual({ 'a/b': 'b' });
  });

  it('rejects links that multiply folders', async () => {
    const files: Record<string, string> = { 'd0/file': 'x' };
    for (let i = 1; i < 20; i += 1) for (const name of ['p', 'q']) files[`d${i}/${name}`] = `-> ../d${i - 1}`;
    await expect(followLinks(treeOf(files))).rejects.toMatchObject({ code: 'tree_limit_exceeded' });
  });

  it('shows the same files as a file system', async () => {
    const names = ['a', 'b', 'd/a', 'd/e/b', 'd/l', 'f/l', 'f/m', 'l'] as const;
    const steps = fc.constantFrom('..', '.', 'a', 'b', 'd', 'e', 'f', 'l', 'm');
    const target = fc.array(steps, { minLength: 1, maxLength: 4 }).map((parts) => `-> ${parts.join('/')}`);
    const content = fc.oneof(fc.constant('text'), target);
    await fc.assert(
      fc.asyncProperty(fc.tuple(...names.map(() => fc.option(content))), async (contents) => {
        const files = Object.fromEntries(
          names.flatMap((name, i) => {
            const text = contents[i];
            return text && (text === 'text' || staysInside(name, text.slice(3))) ? [[name, `${text}`]] : [];
          }),
        );
        const tree = treeOf(files);
        const { manifest, read } = await followLinks(tree);
        await withFolder(async (root) => {
          await materialise(tree, root);
          for (const path of manifest.keys()) expect(await readFile(join(root, path))).toEqual(await read(path));
          for (const path of [...names, 'l/a', 'l/l', 'd/l/b', 'f/l/a', 'f/m/e/b']) {
            if ((await isFile(join(root, path))) && !(await leadsBack(root, path)))
              expect([...manifest.keys()]).toContain(path);
          }
        });
      }),
      { numRuns: 60 },
    );
  });
});
