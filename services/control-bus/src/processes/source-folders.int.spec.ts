import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { identityOf } from '@reins/service-kit/folders';
import { until } from '@reins/testing';
import { treeFromEntries } from '@reins/workspace-tree';
import { SourceFolders } from './source-folders.ts';

const tree = treeFromEntries([{ path: 'process/main.js', content: 'export default 1;' }]);
const made: SourceFolders[] = [];
afterEach(() => Promise.all(made.splice(0).map((folders) => folders.close())));

function newFolders(): SourceFolders {
  const folders = new SourceFolders();
  made.push(folders);
  return folders;
}

const write = (folders: SourceFolders, open = async () => tree): Promise<string> =>
  folders.of('revision', 'process/main.js', open).ready();

test('keeps the code of a revision until it is closed', async () => {
  const folders = newFolders();
  const folder = await write(folders);
  expect(await readFile(join(folder, 'process/main.js'), 'utf8')).toBe('export default 1;');
  await folders.close();
  await expect(access(dirname(folder))).rejects.toThrow('ENOENT');
});

test('removes a folder that was being written when it was closed', async () => {
  const folders = newFolders();
  const opened = Promise.withResolvers<typeof tree>();
  const writing = write(folders, () => opened.promise);
  await folders.close();
  opened.resolve(tree);
  await expect(access(dirname(await writing))).rejects.toThrow('ENOENT');
});

test('removes the folders of a killed process on the machine', async () => {
  const killed = spawn('sleep', ['300']);
  await once(killed, 'spawn');
  const base = dirname(await write(newFolders()));
  const theirs = base.replace(await identityOf(process.pid), await identityOf(killed.pid ?? 0));
  await rename(base, theirs);
  const another = dirname(await write(newFolders()));
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  newFolders();
  await until(async () => (await readdir(tmpdir())).every((name) => join(tmpdir(), name) !== theirs));
  await access(another);
});
