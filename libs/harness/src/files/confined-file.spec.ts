import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { ConfinedFile } from './confined-file.ts';

/** A tree with the folder `d`, and another folder that has the same files. */
async function folders() {
  const [root, outside] = [await tempDir('tree'), await tempDir('outside')];
  await mkdir(join(root, 'd'));
  await writeFile(join(root, 'd', 'a.txt'), 'inside');
  await writeFile(join(outside, 'a.txt'), 'outside');
  return { root, outside };
}

/** What another process can do after a path was checked. */
async function replaceWithLink(root: string, outside: string): Promise<void> {
  await rename(join(root, 'd'), join(root, 'moved'));
  await symlink(outside, join(root, 'd'));
}

test('a folder that becomes a link after its path was checked leads nowhere', async () => {
  const { root, outside } = await folders();
  const [file, made, folder] = await Promise.all(
    ['d/a.txt', 'd/new/b.txt', 'd'].map((path) => ConfinedFile.resolve(root, path)),
  );
  await replaceWithLink(root, outside);
  await expect(file?.read()).rejects.toThrow(/^(ELOOP|ENOTDIR).*'d\/a\.txt'/);
  await expect(file?.write(Buffer.from('x'))).rejects.toThrow(/^(ELOOP|ENOTDIR)/);
  await expect(made?.write(Buffer.from('x'))).rejects.toThrow(/^(ELOOP|ENOTDIR)/);
  await expect(folder?.list()).rejects.toThrow(/^(ELOOP|ENOTDIR)/);
  expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('outside');
});

test('files are read, written and listed, also by links that stay inside', async () => {
  const { root } = await folders();
  await symlink('d', join(root, 'link'));
  const file = await ConfinedFile.resolve(root, 'link/a.txt');
  expect(String(await file.read())).toBe('inside');
  await file.write(Buffer.from('changed'));
  expect(await readFile(join(root, 'd', 'a.txt'), 'utf8')).toBe('changed');
  await (await ConfinedFile.resolve(root, 'new/deep/b.txt')).write(Buffer.from('made'));
  expect(await readFile(join(root, 'new', 'deep', 'b.txt'), 'utf8')).toBe('made');
  expect((await (await ConfinedFile.resolve(root, '.')).list()).sort()).toEqual(['d/', 'link', 'new/']);
  await expect((await ConfinedFile.resolve(root, 'none/c')).read()).rejects.toThrow(/ENOENT.*'none\/c'/);
});
