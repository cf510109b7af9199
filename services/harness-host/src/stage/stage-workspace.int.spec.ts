import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { MemoryBlobs, TreeStore, treeFromEntries } from '@reins/workspace-tree';
import type { RunFolder } from '../executor/run-folder.ts';
import { Redactor } from '../secrets/redactor.ts';
import { StageWorkspace } from './stage-workspace.ts';

test('captures the tree of a stage with its changes and without secrets, and does not write into its folder', async () => {
  const root = await tempDir('workspace');
  const [workDir, sessionDir, homeDir] = ['work', 'session', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([workDir, sessionDir, homeDir].map((folder) => mkdir(folder)));
  const folder: RunFolder = { root, workDir, sessionDir, homeDir, exists: true, remove: async () => undefined };
  const trees = new TreeStore(new MemoryBlobs());
  const input = treeFromEntries([
    { path: 'old.txt', content: 'x' },
    { path: 'same.txt', content: 'x' },
  ]);
  await trees.put(input);
  const workspace = new StageWorkspace(trees, folder, input.treeId);
  await workspace.materialiseInput();
  await writeFile(join(workDir, 'note.txt'), 'the key is sk-canary-1234');
  await writeFile(join(workDir, 'plain.txt'), 'nothing');
  await mkdir(join(workDir, '.reins'));
  await writeFile(join(workDir, '.reins', 'scratchpad.md'), 'notes');
  await rm(join(workDir, 'old.txt'));
  expect(workspace.changedFiles).toEqual([]);
  const tree = await trees.open(await workspace.captureWork(new Redactor(['sk-canary-1234'])));
  const text = async (path: string): Promise<string> => Buffer.from(await tree.read(path)).toString('utf8');
  expect(await text('note.txt')).toBe('the key is [redacted]');
  expect(workspace.changedFiles).toEqual([
    { path: 'note.txt', change: 'added' },
    { path: 'old.txt', change: 'deleted' },
    { path: 'plain.txt', change: 'added' },
  ]);
  expect(await text('plain.txt')).toBe('nothing');
  expect(await readFile(join(workDir, 'note.txt'), 'utf8')).toBe('the key is sk-canary-1234');
});
