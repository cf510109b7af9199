import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RunBlobs, RunDirectoryStore } from '@reins/journal/rundir';
import { definition } from '../testing/run-driver.ts';
import { LocalRun } from './local-run.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'reins-large-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('values of the size of a model answer leave the journal small, equal ones are kept once, and replay brings them back', async () => {
  const store = new RunDirectoryStore(root);
  const run = { workspaceId: 'ws', runId: 'large' };
  const blobs = new RunBlobs(store.pathsOf(run));
  const answer = (n: number) => `${n % 5} ${'x'.repeat(100_000)}`;
  const process = definition(async (ctx) => {
    let length = 0;
    for (let n = 0; n < 25; n += 1) length += (await ctx.step('ask', () => answer(n))).length;
    return length;
  });
  const options = { store, run, blobs, definition: process };
  const local = await store.exclusively(run, 'test', () => LocalRun.create(options, { inputs: null }));
  expect(local.state.end).toMatchObject({ output: 25 * 100_002 });
  const journal = store.pathsOf(run).journal;
  expect(readdirSync(journal).reduce((sum, name) => sum + statSync(join(journal, name)).size, 0)).toBeLessThan(50_000);
  expect(readdirSync(store.pathsOf(run).blobs)).toHaveLength(5);
  const again = await LocalRun.open({ ...options, store: new RunDirectoryStore(root) });
  expect(again.divergence).toBeUndefined();
  expect(again.standing).toBe('completed');
});
