import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { treeFromEntries } from '@reins/workspace-tree';
import { replaceByTree } from './replaced-tree.ts';

test('leaves only the tree, also of what captures ignore, and keeps the folder itself', async () => {
  const folder = await tempDir('replaced');
  await mkdir(join(folder, '.git'));
  await mkdir(join(folder, 'left/empty'), { recursive: true });
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, '.reinsignore'), '*.log\n');
  await writeFile(join(folder, 'left.log'), 'an earlier stage wrote this');
  await writeFile(join(folder, 'src/a.txt'), 'changed');
  await writeFile(join(folder, 'src/b.log'), 'ignored');
  await writeFile(Buffer.concat([Buffer.from(`${folder}/src/`), Buffer.from([0x66, 0xff])]), 'not UTF-8');
  await symlink('/etc/hostname', join(folder, 'src/link'));
  await chmod(join(folder, 'src'), 0);
  const before = await stat(folder);
  const entries = [
    { path: 'src/a.txt', content: 'as it was' },
    { path: 'note.txt', content: 'a note' },
  ];
  await replaceByTree(folder, treeFromEntries(entries));
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['note.txt', 'src', 'src/a.txt']);
  expect(await readFile(join(folder, 'src/a.txt'), 'utf8')).toBe('as it was');
  expect((await stat(folder)).ino).toBe(before.ino);
});
