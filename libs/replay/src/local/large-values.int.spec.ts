import { readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RunBlobs, RunDirectoryStore, verifyRunDirectory } from '@reins/run-directory';
import { definition } from '../testing/run-driver.ts';
import { LocalRun } from './local-run.ts';
import { replayRun } from './replay-run.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'reins-large-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('large values are stored outside of the journal, equal ones once, and a replay loads them', async () => {
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
  expect(again.processState).toBe('completed');
});

const LARGE = 'x'.repeat(100_000);
const asking = definition(async (ctx, inputs) => {
  const first = await ctx.effect('task', { kind: 'node', taskId: 'one', args: inputs });
  const second = await ctx.effect('task', { kind: 'node', taskId: 'two', args: first });
  return { first, second };
});

test('an old directory with large values in its journal continues with references', async () => {
  const store = new RunDirectoryStore(root);
  const run = { workspaceId: 'ws', runId: 'before' };
  const inline = await LocalRun.create({ store, run, definition: asking }, { inputs: LARGE });
  await inline.post(inline.pending[0]?.effectId as string, { status: 'ok', value: LARGE });
  const { journal } = store.pathsOf(run);
  const before = readdirSync(journal).toSorted();
  const blobs = new RunBlobs(store.pathsOf(run));
  const options = { store: new RunDirectoryStore(root), run, blobs, definition: asking };
  const local = await LocalRun.open(options);
  await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: LARGE });
  const after = readdirSync(journal).toSorted();
  expect(after.slice(0, before.length)).toEqual(before);
  for (const name of after.slice(before.length)) expect(statSync(join(journal, name)).size).toBeLessThan(1000);
  expect(blobs.outputOf(local.state)).toEqual({ first: { value: LARGE }, second: { value: LARGE } });
  expect(await verifyRunDirectory(store, run)).toEqual([]);
});

test('arguments and outputs are compared by hash and shown without large values: no blob is read', async () => {
  const store = new RunDirectoryStore(root);
  const run = { workspaceId: 'ws', runId: 'compared' };
  const process = (args: string, output: string) =>
    definition(async (ctx) => {
      await ctx.effect('task', { kind: 'node', taskId: 'one', args });
      return output;
    });
  const options = { store, run, blobs: new RunBlobs(store.pathsOf(run)) };
  const local = await LocalRun.create({ ...options, definition: process(LARGE, LARGE) }, { inputs: null });
  await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 1 });
  rmSync(store.pathsOf(run).blobs, { recursive: true });
  const { entries } = await store.load(run);
  const replayed = (args: string, output: string) =>
    replayRun({ ...options, entries, definition: process(args, output) });
  expect(await replayed(LARGE, LARGE)).toMatchObject({ processState: 'completed', decisions: 2 });
  expect((await replayed(LARGE, `${LARGE}z`)).processState).toBe('diverged');
  const { divergence } = await replayed(`${LARGE}z`, LARGE);
  const request = { taskId: 'one' };
  expect(divergence).toMatchObject({ expected: { request }, actual: { request } });
  expect(JSON.stringify([divergence?.expected, divergence?.actual]).length).toBeLessThan(2000);
});
