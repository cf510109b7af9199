import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, RunAddress } from '@reins/contracts';
import { BARE_RUN, type Entry, type EntryDraft, hashJson } from '@reins/journal';
import { draft } from '@reins/journal/testing';
import { CREATED_IN_WS, RunsFolder } from '../testing/runs-folder.ts';
import { verifyRunDirectory } from '../views/rebuild.ts';
import { updateRunMetadata } from '../views/views.ts';
import { repairJournal } from './repair.ts';

let runs: RunsFolder;
beforeAll(async () => {
  runs = await RunsFolder.make();
});
afterAll(() => runs.remove());

const YEAR = 365 * 24 * 60 * 60 * 1000;
const BARE = { id: BARE_RUN, codeHash: 'none' };
const PROCESS = { id: 'g.ts', codeHash: 'c0' };

function created(run: RunAddress, process: typeof BARE, inputs: JsonValue): EntryDraft {
  const metadata = { request: run.runId, cwd: '/w', processId: process.id };
  const own = { process, inputs, session: {}, idempotencyKey: run.runId, metadata };
  return { type: 'RUN_CREATED', data: { ...(CREATED_IN_WS.data as JsonObject), ...own } } as unknown as EntryDraft;
}

function asked(generation: number, n: number): EntryDraft {
  const request = { kind: 'node', taskId: 't', label: 't', args: { n }, definition: { kind: 'node' } };
  const key = `${generation ? `g${generation}.` : ''}task.t.default.${n}.0`;
  const limits = { startWithinMs: YEAR, runForMs: YEAR, maxAttempts: 1, onUnknown: 'fail' } as const;
  const argsHash = hashJson({ kind: 'task', request });
  const data = { effectId: `e${generation}`, kind: 'task', attempt: 1, key, label: 't', limits, argsHash, request };
  return draft('EFFECT_REQUESTED', data);
}

const answered = (generation: number): EntryDraft =>
  draft('EFFECT_RESOLVED', { effectId: `e${generation}`, attempt: 1, status: 'ok', value: { value: 1 } });

/** 1 created without a process, 2 assigned one, 3 requested, 4 answered. */
async function assignedRun(): Promise<RunAddress> {
  const run = runs.newRun();
  await runs.append(run, created(run, BARE, null));
  const given = { process: PROCESS, inputs: { n: 0 }, previous: BARE, force: false };
  await runs.append(run, draft('PROCESS_ASSIGNED', given));
  // the display name that `run:assign-process` sets
  updateRunMetadata(runs.store.pathsOf(run), { processId: 'g' });
  await runs.append(run, asked(1, 0));
  await runs.append(run, answered(1));
  return run;
}

const restarted = (inputs: JsonValue): EntryDraft => draft('PROCESS_ASSIGNED', { process: PROCESS, inputs });

/** 1 created, 2 requested, 3 answered, 4 restarted and 5 requested, 6 answered; and so on. */
async function endlessRun(starts: number, first: JsonValue = { n: 0 }): Promise<RunAddress> {
  const run = runs.newRun();
  await runs.append(run, created(run, PROCESS, first));
  await runs.append(run, asked(0, 0));
  await runs.append(run, answered(0));
  for (let n = 1; n <= starts; n += 1) {
    await runs.append(run, restarted({ n }), asked(n, n));
    await runs.append(run, answered(n));
  }
  return run;
}

const entriesOf = async (run: RunAddress): Promise<readonly Entry[]> => (await runs.store.load(run)).entries;
const contents = (entries: readonly Entry[]) => entries.map(({ type, data }) => ({ type, data }));

describe.each([
  ['emptied', () => ''],
  ['torn', (text: string) => text.slice(0, 60)],
  ['gone', () => undefined],
])('a start that is %s', (_, change) => {
  test.each([
    ['the first entry of a bare run', 1, assignedRun],
    ['the process assigned to a bare run', 2, assignedRun],
    ['the start of a run that continued as new', 4, () => endlessRun(1)],
    ['the first entry of a run that continued with the same inputs', 1, () => endlessRun(1, { n: 1 })],
  ])('is restored: %s', async (__, version, make) => {
    const run = await make();
    const before = await entriesOf(run);
    runs.change(run, version, change);
    const done = await repairJournal(runs.store, run);
    const { type } = before[version - 1] as Entry;
    expect(done).toMatchObject({ rescued: [{ type, isProven: true }], warnings: [], lost: [] });
    expect(await entriesOf(run)).toEqual(before);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });

  test('that a later one overwrote is kept without its inputs, and that is reported', async () => {
    for (const [version, where, found] of [
      [1, 'journal/000001', { inputs: null }],
      [4, 'journal/000004', {}],
    ] as const) {
      const run = await endlessRun(2);
      const before = contents(await entriesOf(run));
      runs.change(run, version, change);
      expect(await repairJournal(runs.store, run)).toMatchObject({ unproven: [{ entry: version }] });
      const done = await repairJournal(runs.store, run, { accept: [`${version}`] });
      expect(done).toMatchObject({
        entries: 10,
        rescued: [{ isProven: false }],
        lost: [where],
        warnings: [expect.stringMatching(/inputs\.json belongs to a later start/)],
      });
      const after = contents((await entriesOf(run)).filter(({ data }) => !isAcceptance(data)));
      expect(after.toSpliced(version - 1, 1)).toEqual(before.toSpliced(version - 1, 1));
      const { inputs, ...rest } = (before[version - 1] as Entry).data as JsonObject;
      expect(inputs).toEqual({ n: version === 1 ? 0 : 1 });
      expect(after[version - 1]?.data).toEqual({ ...rest, ...found });
      expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
    }
  });
});

/** Whether an entry says that content was accepted. */
const isAcceptance = (data: object): boolean => 'label' in data && data.label === 'run:repair-journal';

describe('a start without proof', () => {
  test('is recovered from run.json and inputs.json if all later entries are torn too', async () => {
    const run = await assignedRun();
    const before = await entriesOf(run);
    for (const version of [2, 3]) runs.change(run, version, () => '');
    expect(await repairJournal(runs.store, run)).toMatchObject({ unproven: [{ entry: 2, type: 'PROCESS_ASSIGNED' }] });
    const done = await repairJournal(runs.store, run, { accept: ['2'] });
    expect(done.rescued).toMatchObject([
      { type: 'PROCESS_ASSIGNED', isProven: false },
      { effectId: 'e1', type: 'EFFECT_REQUESTED', isProven: false },
    ]);
    expect(done.warnings).toEqual([expect.stringMatching(/entry 2 was recovered from .*no hash is left to prove it/)]);
    const after = (await entriesOf(run)).filter(({ data }) => !isAcceptance(data));
    expect(contents(after)).toEqual(contents(before));
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });

  test('without a place is reported as lost', async () => {
    const run = await assignedRun();
    for (const version of [2, 3, 4]) runs.change(run, version, () => '{\n  "type": "PROCESS_LOG"');
    rmSync(runs.path(run, 'state'), { recursive: true });
    const done = await repairJournal(runs.store, run, { dryRun: true });
    expect(done).toMatchObject({ whole: false, lost: ['journal'] });
    expect(done.warnings).toEqual([expect.stringMatching(/start of the process g\.ts.* is lost/)]);
  });
});
