/**
 * Compatibility tests of the journal: the behaviour that was observed of babysitter, except where it was wrong.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, RunAddress } from '@reins/contracts';
import { type EntryDraft, foldRun, pendingEffects, sealEntries } from '@reins/journal';
import { costOf, RunDirectoryStore, rebuildState, repairJournal } from '@reins/run-directory';
import { LocalRun } from '../local/local-run.ts';
import {
  CREATED_LINE,
  entryName,
  type LegacyLine,
  type LegacyOptions,
  requestedLine,
  resolvedLine,
  resultFile,
  writeLegacyRun,
} from '../testing/legacy-run.ts';
import { definition } from '../testing/run-driver.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'reins-cases-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let runs = 0;
const nextId = () => `run-${runs++}`;
const legacy = (lines: readonly LegacyLine[], options?: LegacyOptions) =>
  writeLegacyRun(root, nextId(), [CREATED_LINE, ...lines], options);
const store = () => new RunDirectoryStore(root);
const stateOf = async (run: RunAddress) => foldRun(run, (await store().load(run)).entries);
const corrupt = (says: RegExp) =>
  expect.objectContaining({ code: 'journal_corrupt', message: expect.stringMatching(says) });
const read = (run: RunAddress, ...path: string[]) => JSON.parse(readFileSync(join(root, run.runId, ...path), 'utf8'));

const waits = definition((ctx) => ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'one' }));
const create = (runId: string, inputs: Parameters<typeof LocalRun.create>[1]['inputs'] = null) =>
  LocalRun.create({ store: store(), run: { workspaceId: 'local', runId }, definition: waits }, { inputs });

describe('creating a run', () => {
  test('a run with inputs has run.json, inputs.json and one RUN_CREATED', async () => {
    const { state } = await create(nextId(), { a: 1 });
    expect(read(state.run, 'inputs.json')).toEqual({ a: 1 });
    expect(read(state.run, 'run.json')).toMatchObject({ runId: state.run.runId, processId: 'test' });
    expect((await store().load(state.run)).entries.filter(({ type }) => type === 'RUN_CREATED')).toHaveLength(1);
  });

  test('rejects an id that is blank or points outside the root', async () => {
    for (const id of ['', '  ', '../escape', 'a/b'])
      await expect(create(id)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('an existing id is rejected, and the run is not changed', async () => {
    const id = nextId();
    const first = await create(id);
    await expect(create(id, { other: true })).rejects.toMatchObject({ code: 'run_locked' });
    expect((await stateOf(first.state.run)).inputs).toBeNull();
    expect(() => read(first.state.run, 'inputs.json')).toThrow();
  });

  test('concurrent appends give consecutive numbers and ascending names', async () => {
    const { state } = await create(nextId());
    const { run } = state;
    const line = async (i: number): Promise<void> => {
      const { head, position } = await store().load(run);
      const entries = sealEntries(
        head,
        [{ type: 'PROCESS_LOG', data: { message: i } } as EntryDraft],
        '2026-01-01T00:00:00.000Z',
      );
      if ((await store().append(run, { entries, epoch: 0 }, position)).outcome === 'fenced') return line(i);
    };
    await Promise.all(Array.from({ length: 20 }, (_, i) => line(i)));
    const names = readdirSync(join(root, run.runId, 'journal')).toSorted();
    expect(names.map((name) => Number(name.slice(0, 6)))).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
    const ulids = names.map((name) => name.split('.')[1]);
    expect(ulids).toEqual(ulids.toSorted());
  });
});

describe('reading a journal', () => {
  test('detects a wrong checksum', async () => {
    const run = legacy([requestedLine('e1', 'S000001')]);
    const path = join(root, run.runId, 'journal', entryName(2));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"label": "step"', '"label": "other"'));
    await expect(store().load(run)).rejects.toEqual(corrupt(/000002.*checksum/));
    const done = await repairJournal(store(), run);
    expect(done).toMatchObject({
      dropped: [],
      suspicious: [{ name: entryName(2), why: expect.stringMatching(/checksum/) }],
    });
    expect((await stateOf(run)).effects.get('e1')?.label).toBe('other');
  });

  test('a resolved effect has its value, and nothing is pending', async () => {
    const run = legacy([requestedLine('e1', 'S000001'), resolvedLine('e1')], { files: resultFile('e1', { v: 1 }) });
    const state = await stateOf(run);
    expect(state.effects.get('e1')).toMatchObject({
      status: 'resolved',
      key: 'p:S000001:step',
      result: { status: 'ok', value: { value: { v: 1 } } },
    });
    expect(pendingEffects(state)).toEqual([]);
  });

  test('rejects an invocation key that was requested twice', async () => {
    const run = legacy([requestedLine('e1', 'S000001'), requestedLine('e2', 'S000001')]);
    await expect(store().load(run)).rejects.toEqual(corrupt(/invocation key was already requested/));
  });

  test('rejects a gap in the entry numbers', async () => {
    const run = legacy([requestedLine('e1', 'S000001')], { names: [entryName(1), entryName(3)] });
    await expect(store().load(run)).rejects.toEqual(corrupt(/entry 2 is missing before/));
  });

  test('rejects a file name that sorts before the previous one', async () => {
    const run = legacy([requestedLine('e1', 'S000001')], { names: [entryName(1, 9), entryName(2, 3)] });
    await expect(store().load(run)).rejects.toEqual(corrupt(/not later than that of the previous entry/));
  });

  test('an unknown event type is kept as a note', async () => {
    const run = legacy([{ type: 'STOP_HOOK_INVOKED', data: { decision: 'go' } }]);
    expect((await store().load(run)).entries[1]).toMatchObject({
      type: 'PROCESS_LOG',
      data: { label: 'babysitter STOP_HOOK_INVOKED', message: { decision: 'go' } },
    });
  });

  test('rejects a result of an effect that was never requested', async () => {
    await expect(store().load(legacy([resolvedLine('e9', { resultRef: undefined })]))).rejects.toEqual(
      corrupt(/effect e9 was never requested/),
    );
  });

  test.each([[{ status: 'weird' }], [{ resultRef: 7 }]])('rejects a result with %j', async (more) => {
    await expect(store().load(legacy([requestedLine('e1', 'S000001'), resolvedLine('e1', more)]))).rejects.toEqual(
      corrupt(/000003/),
    );
  });

  test('a cancelled effect is not pending; cancelling an unknown or resolved one is an error', async () => {
    const cancelled = { type: 'EFFECT_CANCELLED', data: { effectId: 'e1', reason: 'no' } };
    const state = await stateOf(legacy([requestedLine('e1', 'S000001'), cancelled]));
    expect(state.effects.get('e1')?.status).toBe('cancelled');
    await expect(store().load(legacy([cancelled]))).rejects.toEqual(corrupt(/never requested/));
    const files = resultFile('e1', 1);
    await expect(
      store().load(legacy([requestedLine('e1', 'S000001'), resolvedLine('e1'), cancelled], { files })),
    ).rejects.toEqual(corrupt(/already resolved/));
  });

  test('a file that is not JSON is reported', async () => {
    const run = legacy([requestedLine('e1', 'S000001')]);
    writeFileSync(join(root, run.runId, 'journal', entryName(2)), '{"type": "EFF');
    await expect(store().load(run)).rejects.toMatchObject({ path: `journal/${entryName(2)}` });
  });

  test('rejects another layout version', async () => {
    await expect(store().load(legacy([], { layoutVersion: '2099.01' }))).rejects.toEqual(corrupt(/layout 2099\.01/));
  });

  test('progress of an unknown effect is ignored, and progress after the result is allowed', async () => {
    const progress = (effectId: string) => ({ type: 'EFFECT_PROGRESS', data: { effectId, progressPercent: 40 } });
    const run = legacy(
      [requestedLine('e1', 'S000001'), progress('e1'), progress('unknown'), resolvedLine('e1'), progress('e1')],
      { files: resultFile('e1', 1) },
    );
    expect((await store().load(run)).entries.map(({ type }) => type)).toEqual([
      'RUN_CREATED',
      'EFFECT_REQUESTED',
      'EFFECT_PROGRESS',
      'PROCESS_LOG',
      'EFFECT_RESOLVED',
      'EFFECT_PROGRESS',
    ]);
  });

  test('a missing, torn or outdated state is rebuilt', async () => {
    const { state } = await create(nextId());
    const path = join(root, state.run.runId, 'state', 'state.json');
    for (const [text, drift] of [
      ['{', 'corrupt'],
      ['{}', 'stale'],
    ] as const) {
      writeFileSync(path, text);
      expect(await rebuildState(store(), state.run)).toMatchObject({ drift, rebuilt: true });
    }
    await rm(path);
    expect(await rebuildState(store(), state.run)).toMatchObject({ drift: 'missing' });
    expect(await rebuildState(store(), state.run)).toMatchObject({ drift: 'none' });
  });

  test('a missing result is reported, and the run can be read again when the file is back', async () => {
    const run = legacy([requestedLine('e1', 'S000001'), resolvedLine('e1')]);
    await expect(store().load(run)).rejects.toEqual(corrupt(/tasks\/e1\/result\.json is missing or torn/));
  });

  test('a result that is too large for its file is read from the referenced file', async () => {
    const large = { text: 'x'.repeat(1_100_000) };
    const valuePath = 'tasks/e1/blobs/result-1.json';
    const files = {
      'tasks/e1/result.json': { effectId: 'e1', taskId: 'step', status: 'ok', resultRef: valuePath },
      [valuePath]: large,
    };
    const state = await stateOf(legacy([requestedLine('e1', 'S000001'), resolvedLine('e1')], { files }));
    expect(state.effects.get('e1')?.result).toMatchObject({ value: { value: large } });
  });

  test.each([
    ['missing', undefined],
    ['another one', { text: 'y' }],
  ])('a large result that is %s is reported, and not replaced by null', async (_, content) => {
    const valuePath = `tasks/e1/blobs/result-${'a'.repeat(64)}.json`;
    const files = {
      'tasks/e1/result.json': { effectId: 'e1', taskId: 'step', status: 'ok', resultRef: valuePath },
      ...(content && { [valuePath]: content }),
    };
    const run = legacy([requestedLine('e1', 'S000001'), resolvedLine('e1')], { files });
    await expect(store().load(run)).rejects.toEqual(corrupt(/the value tasks\/e1\/blobs/));
  });

  test('a byte order mark that an editor added to an entry is ignored', async () => {
    const run = legacy([requestedLine('e1', 'S000001')]);
    const name = join(root, run.runId, 'journal', entryName(2));
    writeFileSync(name, `\uFEFF${readFileSync(name, 'utf8').replaceAll('\n', '\r\n')}`);
    expect((await stateOf(run)).pending).toEqual(new Set(['e1']));
  });

  test('hooks, which the journal does not have, count as passed where the journal continues', async () => {
    const run = legacy([requestedLine('e1', 'S000001'), resolvedLine('e1'), requestedLine('e2', 'S000002')], {
      files: resultFile('e1', 'one'),
    });
    const step = { id: 'step', build: () => ({ kind: 'node', title: 'step' }) };
    const withHook = definition(async (ctx) => {
      const before = await ctx.hook('on-start', {});
      const one = await ctx.task(step, { n: 1 });
      await ctx.hook('on-step', {});
      return [before, one, await ctx.task(step, { n: 2 })];
    });
    const local = await LocalRun.open({ store: store(), run, definition: withHook });
    expect(local.pending.map(({ effectId }) => effectId)).toEqual(['e2']);
    await local.post('e2', { status: 'ok', value: 'two' });
    const again = await LocalRun.open({ store: store(), run, definition: withHook });
    expect(again.state.end).toMatchObject({
      status: 'completed',
      output: [{ hookType: 'on-start', success: true, executedHooks: [] }, 'one', 'two'],
    });
  });

  test('a run keeps its policy rules when it is converted', async () => {
    const governance = { policyRules: [{ id: 'r', effect: 'deny' }] };
    const run = legacy([]);
    const path = join(root, run.runId, 'run.json');
    writeFileSync(path, JSON.stringify({ ...read(run, 'run.json'), governance }));
    expect((await store().load(run)).entries[0]?.data).toMatchObject({ metadata: { governance } });
  });

  test('costs are summed, even after the result; those without an effect are ignored', async () => {
    const cost = (data: JsonObject): LegacyLine => ({ type: 'COST_TRACKED', data });
    const files = resultFile('e1', 1);
    const lines = [
      requestedLine('e1', 'S000001'),
      cost({ effectId: 'e1', inputTokens: 5, outputTokens: 7, costUsd: 0.25 }),
      resolvedLine('e1'),
      cost({ effectId: 'e1', inputTokens: 1, input_tokens: 1, costUsd: 0.5 }),
      cost({ inputTokens: 100 }),
    ];
    const { entries } = await store().load(legacy(lines, { files }));
    expect(costOf(entries)).toEqual({ inputTokens: 6, outputTokens: 7, costUsd: 0.75 });
    const unpriced = legacy([...lines, cost({ effectId: 'e1', inputTokens: 1 })], { files });
    expect(costOf((await store().load(unpriced)).entries)).toMatchObject({ inputTokens: 7, costUsd: 'unknown' });
    expect(costOf([])).toEqual({ inputTokens: 0, outputTokens: 0 });
  });

  test('a result without a payload is null', async () => {
    const files = { 'tasks/e1/result.json': { effectId: 'e1', taskId: 'step', status: 'ok' } };
    const state = await stateOf(legacy([requestedLine('e1', 'S000001'), resolvedLine('e1')], { files }));
    expect(state.effects.get('e1')?.result).toMatchObject({ value: { value: null } });
  });
});

describe('repairing a journal', () => {
  test('drops an empty file and a file that is not JSON, and keeps the others', async () => {
    const run = legacy([requestedLine('e1', 'S000001'), { type: 'NOTE' }, { type: 'NOTE' }]);
    writeFileSync(join(root, run.runId, 'journal', entryName(3)), '');
    writeFileSync(join(root, run.runId, 'journal', entryName(4)), 'x');
    const done = await repairJournal(store(), run);
    expect(done.dropped.map(({ name }) => name)).toEqual([entryName(3), entryName(4)]);
    expect((await stateOf(run)).pending).toEqual(new Set(['e1']));
  });

  test('a second request with the same key is dropped with its result', async () => {
    const run = legacy([requestedLine('e1', 'S000001'), requestedLine('e2', 'S000001'), resolvedLine('e2')], {
      files: resultFile('e2', 2),
    });
    const done = await repairJournal(store(), run);
    expect(done.dropped.map(({ why }) => why)).toEqual([
      'its invocation key was already requested',
      'effect e2 was never requested',
    ]);
  });

  test('a torn EFFECT_RESOLVED with an intact result.json loses nothing', async () => {
    const run = legacy([requestedLine('e1', 'S000001'), resolvedLine('e1')], { files: resultFile('e1', { v: 5 }) });
    writeFileSync(join(root, run.runId, 'journal', entryName(3)), '{"type":');
    expect(await repairJournal(store(), run)).toMatchObject({ rescued: [{ effectId: 'e1' }] });
    expect((await stateOf(run)).effects.get('e1')?.result).toEqual({ status: 'ok', value: { value: { v: 5 } } });
  });

  test('a run that ended several times has one end', async () => {
    const end = { type: 'RUN_FAILED', data: { error: { name: 'Error', message: 'no' } } };
    const { entries } = await store().load(legacy([end, end]));
    expect(entries.map(({ type }) => type)).toEqual(['RUN_CREATED', 'PROCESS_LOG', 'RUN_FAILED']);
  });

  test('a sleep that ended without a post has ended, in a completed run and in one that continued', async () => {
    const sleep = requestedLine('e1', 'S000001', '__sdk.sleep', 'sleep');
    const files = {
      'tasks/e1/task.json': { kind: 'sleep', sleep: { iso: '2026-01-01T00:00:01.500Z' } },
      'state/output.json': 1,
    };
    const state = await stateOf(legacy([sleep, { type: 'RUN_COMPLETED' }], { files }));
    expect(state).toMatchObject({ status: 'completed', pending: new Set() });
    const later = await stateOf(
      legacy([sleep, requestedLine('e2', 'S000002'), resolvedLine('e1')], {
        files: { ...files, ...resultFile('e1', null) },
      }),
    );
    expect(later.pending).toEqual(new Set(['e2']));
  });
});
