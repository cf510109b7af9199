import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ReinsError, RunAddress } from '@reins/contracts';
import { type Entry, type EntryDraft, sealEntries } from '@reins/journal';
import { journalStoreContract } from '@reins/journal/contract';
import { AT, CREATED, draft, EXAMPLES, requestedDraft } from '@reins/journal/testing';
import { tempDir } from '@reins/testing';
import { RunDirectoryStore } from './run-directory-store.ts';

/** Distance between the bytes that are tried. With 1, all of them, the test takes ten times as long. */
const STRIDE = 11;

let root: string;
beforeAll(async () => {
  root = await tempDir('rundir');
});
afterAll(() => rm(root, { recursive: true, force: true }));

let runs = 0;
const newRun = (workspaceId = 'ws'): RunAddress => ({ workspaceId, runId: `run-${runs++}` });
const CREATED_IN_WS = { ...CREATED, data: { ...CREATED.data, workspaceId: 'ws' } } as EntryDraft;

/** Appends drafts as one commit. */
async function append(store: RunDirectoryStore, run: RunAddress, ...drafts: EntryDraft[]): Promise<Entry[]> {
  const { head, position } = await store.load(run);
  const entries = sealEntries(head, drafts, AT);
  expect(await store.append(run, { entries, epoch: 0 }, position)).toEqual({
    outcome: 'stored',
    position: entries.at(-1)?.version,
  });
  return entries;
}

const journalOf = (run: RunAddress) => join(root, run.runId, 'journal');
async function filesOf(run: RunAddress): Promise<string[]> {
  return (await readdir(journalOf(run))).toSorted();
}

describe('the store in run directories', () => {
  const subject = () => ({
    store: new RunDirectoryStore(root),
    other: new RunDirectoryStore(root),
    newRun,
    damage: async (run: RunAddress) => {
      const path = join(journalOf(run), (await filesOf(run))[2] as string);
      writeFileSync(path, readFileSync(path, 'utf8').replace('"two"', '"2wo"'));
    },
  });
  test.each(journalStoreContract)('$name', async ({ check }) => check(subject()));

  test('has the documented layout, with views next to the journal', async () => {
    const store = new RunDirectoryStore(root);
    const run = newRun();
    await append(store, run, CREATED_IN_WS, requestedDraft('e1', 'task', EXAMPLES.task.request));
    const read = (...path: string[]) => JSON.parse(readFileSync(join(root, run.runId, ...path), 'utf8'));
    expect((await readdir(join(root, run.runId))).toSorted()).toEqual([
      'blobs',
      'inputs.json',
      'journal',
      'orphaned',
      'process',
      'run.json',
      'state',
      'tasks',
    ]);
    expect(await filesOf(run)).toEqual([
      expect.stringMatching(/^000001\.[0-9A-Z]{26}\.json$/),
      expect.stringMatching(/^000002\.[0-9A-Z]{26}\.json$/),
    ]);
    expect(read('run.json')).toMatchObject({
      runId: run.runId,
      processId: 'pipeline',
      layoutVersion: 'reins.run-directory.v1',
    });
    expect(read('inputs.json')).toEqual({ input: 'hello' });
    expect(read('state', 'state.json')).toMatchObject({
      stateVersion: 2,
      status: 'running',
      pendingEffectsByKind: { task: 1 },
    });
    expect(read('tasks', 'e1', 'task.json')).toMatchObject({ effectId: 'e1', invocationKey: 'k.e1', taskId: 'build' });
    await append(
      store,
      run,
      draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', value: { value: 1 } }),
      draft('RUN_COMPLETED', { output: 7 }),
    );
    expect(read('tasks', 'e1', 'result.json')).toMatchObject({ status: 'ok', value: { value: 1 } });
    expect(read('state', 'output.json')).toBe(7);
    expect(read('state', 'state.json')).toMatchObject({ status: 'completed', pendingEffectsByKind: {} });
    expect(await readdir(join(root, run.runId, 'state'))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/unfinished/)]),
    );
  });

  test('ignores other files, such as leftovers of a crash or of an editor', async () => {
    const store = new RunDirectoryStore(root);
    const run = newRun();
    await append(store, run, CREATED_IN_WS);
    writeFileSync(join(journalOf(run), '.unfinished-1-ab'), '{');
    writeFileSync(join(journalOf(run), '000009.json.swp'), '');
    await append(store, run, draft('PROCESS_LOG', { message: 'on' }));
    expect((await new RunDirectoryStore(root).load(run)).position).toBe(2);
  });

  test('ignores an unfinished commit, and the next one takes its place', async () => {
    const store = new RunDirectoryStore(root);
    const run = newRun();
    await append(store, run, CREATED_IN_WS);
    // The state is written after a commit, so a commit that was cut short is not in it.
    const stateFile = join(root, run.runId, 'state', 'state.json');
    const state = readFileSync(stateFile);
    await append(
      store,
      run,
      draft('PROCESS_LOG', { message: 'a' }),
      draft('PROCESS_LOG', { message: 'b' }),
      draft('PROCESS_LOG', { message: 'c' }),
    );
    await rm(join(journalOf(run), (await filesOf(run))[3] as string));
    await expect(new RunDirectoryStore(root).load(run)).rejects.toMatchObject({ path: 'journal/000004' });
    writeFileSync(stateFile, state);
    const fresh = new RunDirectoryStore(root);
    expect(await fresh.load(run)).toMatchObject({ position: 1, lastCommitSize: 1 });
    await append(fresh, run, draft('PROCESS_LOG', { message: 'instead' }));
    expect((await new RunDirectoryStore(root).load(run)).entries[1]).toMatchObject({ data: { message: 'instead' } });
    expect(await readdir(join(root, run.runId, 'orphaned'))).toHaveLength(2);
  });

  test.each([
    ['emptied', () => ''],
    ['cut', (text: string) => text.slice(0, 40)],
    ['spaced', (text: string) => text.replace('\n', '\n\n')],
    ['replaced', () => '[]\n'],
  ])('reports a file that was %s', async (_, change) => {
    const store = new RunDirectoryStore(root);
    const run = newRun();
    await append(store, run, CREATED_IN_WS);
    await append(store, run, draft('PROCESS_LOG', { message: 'a' }));
    const [name = ''] = await filesOf(run);
    writeFileSync(join(journalOf(run), name), change(readFileSync(join(journalOf(run), name), 'utf8')));
    await expect(new RunDirectoryStore(root).load(run)).rejects.toMatchObject({
      code: 'journal_corrupt',
      path: `journal/${name}`,
    });
  });

  test('detects every changed bit, in that file or in the next one', async () => {
    const store = new RunDirectoryStore(root);
    const run = newRun();
    await append(store, run, CREATED_IN_WS);
    await append(store, run, draft('PROCESS_LOG', { message: 'ä' }), draft('PROCESS_LOG', { message: 2 }));
    const names = await filesOf(run);
    for (const [i, name] of names.entries()) {
      const path = join(journalOf(run), name);
      const whole = readFileSync(path);
      // The commit range of an entry is compared with its neighbours, so either file may be reported.
      const places = [`journal/${name}`, `entries[${i + 1}]`, `journal/${names[i + 1]}`];
      for (let at = 0; at < whole.length; at += STRIDE) {
        const turned = Buffer.from(whole);
        turned[at] = (turned[at] as number) ^ (1 << (at % 8));
        writeFileSync(path, turned);
        const error: unknown = await new RunDirectoryStore(root).load(run).catch((problem: unknown) => problem);
        expect(error).toMatchObject({ code: 'journal_corrupt' });
        expect(places).toContain((error as ReinsError).path);
      }
      writeFileSync(path, whole);
    }
    expect((await new RunDirectoryStore(root).load(run)).position).toBe(3);
  });

  test('distinguishes a missing file, a missing journal and an unknown layout', async () => {
    const store = new RunDirectoryStore(root);
    const [gap, lost, unknownLayout] = [newRun(), newRun(), newRun()];
    for (const run of [gap, lost, unknownLayout]) {
      await append(store, run, CREATED_IN_WS);
      await append(store, run, draft('PROCESS_LOG', { message: 'a' }));
    }
    await rm(join(journalOf(gap), (await filesOf(gap))[0] as string));
    await rm(journalOf(lost), { recursive: true });
    writeFileSync(join(root, unknownLayout.runId, 'run.json'), '{"layoutVersion":"next"}');
    const fresh = new RunDirectoryStore(root);
    await expect(fresh.load(gap)).rejects.toThrow(/entry 1 is missing before/);
    await expect(fresh.load(lost)).rejects.toThrow(/journal directory is missing/);
    await expect(fresh.load(unknownLayout)).rejects.toThrow(/layout next/);
  });

  test('file names ascend even when the clock is set back', async () => {
    const store = new RunDirectoryStore(root);
    const run = newRun();
    let { head } = await store.load(run);
    for (const [i, recordedAt] of [
      '2026-01-02T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
      '2025-01-01T00:00:00.000Z',
    ].entries()) {
      const entries = sealEntries(head, [i === 0 ? CREATED_IN_WS : draft('PROCESS_LOG', { message: i })], recordedAt);
      await store.append(run, { entries, epoch: 0 }, i);
      head = { version: i + 1, hash: entries[0]?.hash ?? '' };
    }
    expect((await new RunDirectoryStore(root).load(run)).position).toBe(3);
  });

  test('rejects a run id that points outside the root', async () => {
    await expect(new RunDirectoryStore(root).load({ workspaceId: 'ws', runId: '../escape' })).rejects.toMatchObject({
      code: 'token_invalid',
    });
  });
});
