import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, RunAddress } from '@reins/contracts';
import { type Entry, type EntryDraft, hashEntry, hashJson } from '@reins/journal';
import { draft, LIMITS } from '@reins/journal/testing';
import { CREATED_IN_WS, RunsFolder } from '../testing/runs-folder.ts';
import { rebuildState, verifyRunDirectory } from '../views/rebuild.ts';
import { repairJournal } from './repair.ts';

let runs: RunsFolder;
beforeAll(async () => {
  runs = await RunsFolder.make();
});
afterAll(() => runs.remove());

const YEAR = 365 * 24 * 60 * 60 * 1000;
const WAIT = { startWithinMs: YEAR, runForMs: YEAR, maxAttempts: 1, onUnknown: 'fail' } as const;
const METADATA = { request: 'r', processId: 'p', cwd: '/w', prompt: 'hello' };

function created(run: RunAddress, metadata?: JsonObject): EntryDraft {
  const { metadata: _, ...data } = CREATED_IN_WS.data as JsonObject;
  const own = { ...data, session: {}, idempotencyKey: run.runId, ...(metadata && { metadata }) };
  return { type: 'RUN_CREATED', data: own } as unknown as EntryDraft;
}

/** A request as a process makes it. */
function asked(effectId: string, args: JsonValue, limits: typeof WAIT | typeof LIMITS = WAIT): EntryDraft {
  const request = { kind: 'node', taskId: 'work', label: 'l', args, definition: { kind: 'node', labels: ['l'] } };
  const data = { effectId, kind: 'task', attempt: 1, key: `task.work.default.${effectId}.0`, label: 'l', limits };
  return draft('EFFECT_REQUESTED', { ...data, argsHash: hashJson({ kind: 'task', request }), request });
}

const answered = (effectId: string, value: JsonValue): EntryDraft =>
  draft('EFFECT_RESOLVED', { effectId, attempt: 1, status: 'ok', value: { value }, retryable: false });

/** 1 created, 2 and 4 requested, 3 and 5 answered, 6 completed. */
async function finishedRun(limits?: typeof LIMITS): Promise<RunAddress> {
  const run = runs.newRun();
  await runs.append(run, created(run, METADATA));
  await runs.append(run, asked('e1', { n: 1 }, limits));
  await runs.append(run, answered('e1', 'abc'));
  await runs.append(run, asked('e2', { n: 2 }), draft('PROCESS_LOG', { message: 'm' }));
  await runs.append(run, draft('RUN_COMPLETED', { output: { out: 'abc' } }));
  return run;
}

const entriesOf = async (run: RunAddress) => (await runs.store.load(run)).entries;

describe('a repair with proof', () => {
  test.each([1, 2, 3, 4, 6])('restores entry %i, whatever is left of it', async (version) => {
    for (const change of [(text: string) => text.slice(0, 150), () => '', () => undefined]) {
      const run = await finishedRun();
      const before = await entriesOf(run);
      runs.change(run, version, change);
      const plan = await repairJournal(runs.store, run, { dryRun: true });
      expect(plan).toMatchObject({ entries: 6, rescued: [{ type: before[version - 1]?.type, isProven: true }] });
      expect(plan.dropped).toHaveLength(change('') === undefined ? 0 : 1);
      await repairJournal(runs.store, run);
      expect(await entriesOf(run)).toEqual(before);
      expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
    }
  });

  test.each([
    ['an answer', 3, 'abc', 'tasks/e1/result.json'],
    ['an output', 6, 'abc', 'state/output.json'],
    ['a prompt', 1, 'hello', 'run.json'],
    ['the arguments of a request', 2, '"n": 1', 'tasks/e1/task.json'],
  ])('replaces an altered entry by %s from other files if the hash matches', async (...args) => {
    const [, version, what, from] = args;
    const run = await finishedRun();
    const before = await entriesOf(run);
    const name = runs.change(run, version, (text) => text.replace(what, what.replace(/[bl1]/, '2')));
    const done = await repairJournal(runs.store, run);
    const why = `its hash does not match its content; replaced by the original from ${from}`;
    expect(done).toMatchObject({ dropped: [], rescued: [], suspicious: [{ name, why }] });
    expect(await entriesOf(run)).toEqual(before);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });

  test('recomputes an altered hash if the next entry proves the content', async () => {
    const run = await finishedRun();
    const before = await entriesOf(run);
    runs.change(run, 3, (text) => text.replace(/"hash": "[0-9a-f]{4}/, '"hash": "0000'));
    await repairJournal(runs.store, run);
    expect(await entriesOf(run)).toEqual(before);
  });
});

describe('a repair without proof', () => {
  test('prefers the copy of an answer over a different entry, and reports it', async () => {
    const run = await finishedRun();
    const path = runs.path(run, 'tasks', 'e1', 'result.json');
    runs.change(run, 3, (text) => text.replace('abc', 'abd'));
    writeFileSync(path, readFileSync(path, 'utf8').replace('abc', 'abx'));
    const { suspicious } = await repairJournal(runs.store, run, { accept: ['e1'] });
    const why = 'its hash does not match its content; replaced by the different content of tasks/e1/result.json';
    expect(suspicious).toMatchObject([{ why }]);
    expect((await entriesOf(run))[2]?.data).toMatchObject({ label: 'run:repair-journal' });
    expect((await entriesOf(run))[3]?.data).toMatchObject({ value: { value: 'abx' } });
  });

  test.each([
    ['torn', (text: string) => text.slice(0, 150)],
    ['gone', () => undefined],
  ])('rebuilds a request that is %s, with its own limits, from its task and its answer', async (_, change) => {
    const run = await finishedRun(LIMITS);
    const [, before] = await entriesOf(run);
    runs.change(run, 2, change);
    expect(await repairJournal(runs.store, run)).toMatchObject({
      rescued: [{ effectId: 'e1', type: 'EFFECT_REQUESTED', from: 'tasks/e1/task.json', isProven: false }],
      warnings: [],
    });
    const entries = await entriesOf(run);
    expect(entries.map(({ type }) => type).slice(0, 3)).toEqual(['RUN_CREATED', 'EFFECT_REQUESTED', 'EFFECT_RESOLVED']);
    const { limits: __, ...asBefore } = (before?.data ?? {}) as JsonObject;
    expect(entries[1]?.data).toMatchObject(asBefore);
  });

  test('reports a lost request whose task is lost too, before changing anything', async () => {
    const run = await finishedRun();
    runs.change(run, 2, (text) => text.slice(0, 150));
    rmSync(runs.path(run, 'tasks', 'e1', 'task.json'));
    const { warnings } = await repairJournal(runs.store, run, { dryRun: true });
    expect(warnings).toEqual([expect.stringMatching(/request of effect e1 is lost.*replay_nondeterminism/)]);
  });
});

describe('a file with a large number', () => {
  test.each([
    ['010000', 'RUN_CREATED'],
    ['1000000', 'RUN_CREATED'],
    ['1000000', undefined],
    ['99999999999999999999', 'RUN_CREATED'],
  ])('is dropped and reported, and everything else stays: %s, with %s', async (number, type) => {
    const run = await finishedRun();
    const before = await entriesOf(run);
    const first = runs.names(run)[0] ?? '';
    const name = `${number}${first.slice(6)}`;
    const text = type === undefined ? '' : readFileSync(runs.path(run, 'journal', first), 'utf8');
    writeFileSync(runs.path(run, 'journal', name), text);
    const { dropped, lost, warnings } = await repairJournal(runs.store, run);
    expect(dropped).toEqual([{ name, why: expect.any(String), ...(type && { type }) }]);
    expect({ lost, warnings }).toEqual({ lost: [], warnings: [] });
    expect(await entriesOf(run)).toEqual(before);
  });

  test('has the place that its body proves', async () => {
    const run = await finishedRun();
    const before = await entriesOf(run);
    const name = runs.names(run)[5] ?? '';
    renameSync(runs.path(run, 'journal', name), runs.path(run, 'journal', `1000000${name.slice(6)}`));
    expect(await repairJournal(runs.store, run)).toMatchObject({
      dropped: [],
      reordered: [{ name: `1000000${name.slice(6)}`, version: 6 }],
      warnings: [],
    });
    expect(await entriesOf(run)).toEqual(before);
  });

  test('leaves a gap that is reported as one range if its body has that number', async () => {
    const run = runs.newRun();
    const row = [created(run), asked('e1', 1), answered('e1', 'abc'), draft('RUN_COMPLETED', { output: {} })];
    for (const one of row) await runs.append(run, one);
    rmSync(runs.path(run, 'state', 'state.json'));
    runs.change(run, 4, (text) => {
      const { commit: _, hash: __, ...entry } = JSON.parse(text);
      const moved = { ...entry, version: 1_000_000 };
      return JSON.stringify(
        { ...moved, hash: hashEntry(moved), commit: { first: 1_000_000, last: 1_000_000 } },
        null,
        2,
      );
    });
    const name = runs.names(run)[3] ?? '';
    renameSync(runs.path(run, 'journal', name), runs.path(run, 'journal', `1000000${name.slice(6)}`));
    const { entries, dropped, warnings } = await repairJournal(runs.store, run);
    expect([entries, dropped]).toEqual([4, []]);
    expect(warnings).toEqual([expect.stringMatching(/^entries 4 to 999999 cannot be read or recovered/)]);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });
});

describe('a journal without any entry', () => {
  const remove = (run: RunAddress) => rmSync(runs.path(run, 'journal'), { recursive: true });
  test.each([
    ['empty', remove, true],
    ['gone', remove, false],
    ['a file', remove, 'a file'],
    ['all files torn', truncate, false],
  ])('that is %s is recovered from run.json and tasks/', async (_, damage, then) => {
    const run = await finishedRun();
    // a log entry is in the journal alone, and so is the end while a task is open
    const asSingleCommits = ['PROCESS_LOG', 'RUN_COMPLETED'];
    const before = (await entriesOf(run)).filter(({ type }) => !asSingleCommits.includes(type));
    rmSync(runs.path(run, 'state'), { recursive: true });
    damage(run);
    if (then === true) mkdirSync(runs.path(run, 'journal'));
    if (typeof then === 'string') writeFileSync(runs.path(run, 'journal'), then);
    await expect(rebuildState(runs.store, run, { views: true })).rejects.toMatchObject({ code: 'journal_corrupt' });
    expect(await repairJournal(runs.store, run, { dryRun: true })).toMatchObject({ whole: false, lost: ['journal'] });
    const done = await repairJournal(runs.store, run);
    expect(done).toMatchObject({
      lost: ['journal'],
      warnings: [expect.stringMatching(/the journal has no entry left/)],
    });
    expect(done.rescued.map(({ isProven }) => isProven)).toEqual([false, false, false, false]);
    const contents = (entries: readonly Entry[]) =>
      entries.map(
        ({ type, data: { retryable: _, ...data } }: { type: string; data: object & { retryable?: unknown } }) => ({
          type,
          data,
        }),
      );
    expect(contents(await entriesOf(run))).toEqual(contents(before));
    if (typeof then === 'string') expect(readFileSync(done.backup ?? '', 'utf8')).toBe(then);
  });

  test.each([true, false])('and without a usable run.json is left unchanged (tasks: %s)', async (isThere) => {
    const run = await finishedRun();
    rmSync(runs.path(run, 'journal'), { recursive: true });
    if (isThere) writeFileSync(runs.path(run, 'run.json'), '{');
    else rmSync(runs.path(run, 'run.json'));
    expect(await repairJournal(runs.store, run, { dryRun: true })).toMatchObject({ whole: false, lost: ['journal'] });
    await expect(repairJournal(runs.store, run)).rejects.toMatchObject({
      code: 'journal_corrupt',
      message: expect.stringMatching(/no entry of the journal can be kept.*run\.json does not describe/),
    });
  });
});

function truncate(run: RunAddress): void {
  for (let version = 1; version <= runs.names(run).length; version += 1) runs.change(run, version, () => '');
}
