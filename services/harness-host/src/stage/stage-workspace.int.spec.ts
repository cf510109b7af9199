import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { EMPTY_MANIFEST, MemoryBlobs, TreeStore, treeIdOf } from '@reins/workspace-tree';
import type { RunFolder } from '../executor/run-folder.ts';
import { Redactor } from '../secrets/redactor.ts';
import { StageWorkspace } from './stage-workspace.ts';

test('secrets are redacted in the tree of a stage, and the host does not write into its folder', async () => {
  const root = await tempDir('workspace');
  const [workDir, sessionDir, homeDir] = ['work', 'session', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([workDir, sessionDir, homeDir].map((folder) => mkdir(folder)));
  const folder: RunFolder = { root, workDir, sessionDir, homeDir, exists: true, remove: async () => undefined };
  const trees = new TreeStore(new MemoryBlobs());
  const emptyTree = { treeId: treeIdOf(EMPTY_MANIFEST), manifest: EMPTY_MANIFEST, read: () => Promise.reject() };
  await trees.put(emptyTree);
  const workspace = new StageWorkspace(trees, folder, emptyTree.treeId);
  await workspace.materialiseInput();
  await writeFile(join(workDir, 'note.txt'), 'the key is sk-canary-1234');
  await writeFile(join(workDir, 'plain.txt'), 'nothing');
  const tree = await trees.open(await workspace.captureWork(new Redactor(['sk-canary-1234'])));
  const text = async (path: string): Promise<string> => Buffer.from(await tree.read(path)).toString('utf8');
  expect(await text('note.txt')).toBe('the key is [redacted]');
  expect(await text('plain.txt')).toBe('nothing');
  expect(await readFile(join(workDir, 'note.txt'), 'utf8')).toBe('the key is sk-canary-1234');
});
