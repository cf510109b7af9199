import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunAddress } from '@reins/contracts';
import { foldRun } from '@reins/journal';
import { draft, EXAMPLES, requestedDraft } from '@reins/journal/testing';
import { CREATED_IN_WS, RunsFolder } from '../testing/runs-folder.ts';
import { rebuildState, verifyRunDirectory } from '../views/rebuild.ts';
import { repairJournal } from './repair.ts';

let runs: RunsFolder;
beforeAll(async () => {
  runs = await RunsFolder.make();
});
afterAll(() => runs.remove());

const LOG = (message: string) => draft('PROCESS_LOG', { message });
const ASKED = requestedDraft('e1', 'task', EXAMPLES.task.request);
const RESOLVED = draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', value: { value: 42 } });
const now = () => new Date('2026-02-01T00:00:00.000Z');

/** 1 created, 2 requested, 3 resolved, 4 a log entry. */
async function someRun(): Promise<RunAddress> {
  const run = runs.newRun();
  await runs.append(run, CREATED_IN_WS);
  await runs.append(run, ASKED);
  await runs.append(run, RESOLVED);
  await runs.append(run, LOG('end'));
  return run;
}

async function stateOf(run: RunAddress) {
  return foldRun(run, (await runs.store.load(run)).entries);
}

describe('repair', () => {
  test('a valid journal is not changed', async () => {
    const run = await someRun();
    const before = runs.names(run);
    expect(await repairJournal(runs.store, run)).toEqual({
      files: 4,
      entries: 4,
      notes: 0,
      dropped: [],
      suspicious: [],
      rescued: [],
      restored: [],
      lost: [],
      warnings: [],
      processes: [],
      whole: true,
    });
    expect(runs.names(run)).toEqual(before);
  });

  test.each([
    ['emptied', () => ''],
    ['torn', (text: string) => text.slice(0, 60)],
    ['gone', () => undefined],
  ])('a result whose entry is %s is restored from its file', async (_, change) => {
    const run = await someRun();
    const name = runs.change(run, 3, change);
    await expect(runs.store.load(run)).rejects.toMatchObject({ code: 'journal_corrupt' });

    const plan = await repairJournal(runs.store, run, { dryRun: true, now });
    expect(plan).toMatchObject({
      entries: 4,
      rescued: [{ effectId: 'e1', from: 'tasks/e1/result.json' }],
      whole: false,
    });
    await expect(runs.store.load(run)).rejects.toMatchObject({ code: 'journal_corrupt' });

    const done = await repairJournal(runs.store, run, { now });
    expect(done.dropped.map((drop) => drop.name)).toEqual(change('') === undefined ? [] : [name]);
    expect((await stateOf(run)).effects.get('e1')).toMatchObject({
      status: 'resolved',
      result: { status: 'ok', value: { value: 42 } },
    });
    expect(await readdir(done.backup ?? '')).toHaveLength(done.files);
    await runs.append(run, LOG('and on'));
  });

  test('a lost end of the journal is reported if the state refers to it', async () => {
    const run = await someRun();
    runs.change(run, 4, () => undefined);
    expect(await repairJournal(runs.store, run)).toMatchObject({
      whole: false,
      lost: ['journal/000004'],
      warnings: [expect.stringMatching(/entry 4, which state\/state.json refers to/)],
    });
  });

  test('an entry that was edited and is still valid stays, and is chained again', async () => {
    const run = await someRun();
    runs.change(run, 4, (text) => text.replace('"end"', '"END"'));
    const done = await repairJournal(runs.store, run, { now });
    expect(done).toMatchObject({
      entries: 4,
      dropped: [],
      suspicious: [{ why: 'its hash does not match its content' }],
    });
    expect((await runs.store.load(run)).entries[3]).toMatchObject({ data: { message: 'END' } });
  });

  test('a result is dropped if its request is torn', async () => {
    const run = await someRun();
    const torn = runs.change(run, 2, (text) => text.slice(0, 20));
    const { dropped, entries } = await repairJournal(runs.store, run, { now });
    expect(dropped).toEqual([
      { name: torn, why: expect.stringMatching(/torn/) },
      { name: expect.stringMatching(/^000003/), type: 'EFFECT_RESOLVED', why: 'effect e1 was never requested' },
    ]);
    expect(entries).toBe(2);
  });

  test.each([
    ['gone', () => undefined],
    ['torn', (text: string) => text.slice(0, 60)],
  ])(
    'a first entry that is %s is recovered from run.json and inputs.json only if the caller accepts it',
    async (_, change) => {
      const run = await someRun();
      const before = await stateOf(run);
      runs.change(run, 1, change);
      expect(await repairJournal(runs.store, run, { now })).toMatchObject({
        unproven: [{ entry: 1, from: 'run.json' }],
      });
      const done = await repairJournal(runs.store, run, { now, accept: ['1'] });
      expect(done).toMatchObject({ entries: 5, rescued: [{ from: 'run.json', isProven: false }] });
      expect(done.warnings).toEqual([expect.stringMatching(/does not match the recorded hash/)]);
      const { process, inputs, sessionId, agentId, revision, createdAt, effects } = await stateOf(run);
      expect({ process, inputs, sessionId, agentId, revision, createdAt, effects }).toEqual({
        process: before.process,
        inputs: before.inputs,
        sessionId: before.sessionId,
        agentId: before.agentId,
        revision: before.revision,
        createdAt: before.createdAt,
        // The log entry about the accepted one precedes them.
        effects: new Map([...before.effects].map(([id, effect]) => [id, { ...effect, requestedVersion: 3 }])),
      });
      expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
    },
  );

  test.each([
    ['run.json is gone', (path: string) => rm(path)],
    [
      'run.json is damaged',
      async (path: string) => {
        const { revision, ...metadata } = JSON.parse(await readFile(path, 'utf8'));
        await writeFile(path, JSON.stringify({ ...metadata, revision: `p${revision.slice(1)}` }));
      },
    ],
  ])('a journal of which nothing can be kept is not changed: %s', async (_, change) => {
    const run = await someRun();
    runs.change(run, 1, () => undefined);
    await change(runs.path(run, 'run.json'));
    const names = runs.names(run);
    const plan = await repairJournal(runs.store, run, { dryRun: true });
    expect(plan.entries).toBe(0);
    expect(plan.dropped.map(({ why }) => why)).toEqual(Array(3).fill('the first entry must be RUN_CREATED'));
    await expect(repairJournal(runs.store, run)).rejects.toMatchObject({ code: 'journal_corrupt' });
    expect(runs.names(run)).toEqual(names);
  });

  test('a journal without any entry is not valid', async () => {
    const run = await someRun();
    for (const name of runs.names(run)) await rm(runs.path(run, 'journal', name));
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([{ code: 'journal_corrupt', path: 'journal' }]);
  });

  test('a duplicate number is dropped', async () => {
    const run = await someRun();
    const [, , third = ''] = runs.names(run);
    writeFileSync(
      runs.path(run, 'journal', third.replace(/\.[0-9A-Z]{26}\./, '.7ZZZZZZZZZZZZZZZZZZZZZZZZZ.')),
      JSON.stringify(RESOLVED_FILE),
    );
    const { dropped } = await repairJournal(runs.store, run, { now });
    expect(dropped).toMatchObject([{ why: 'effect e1 is already resolved' }]);
    expect((await stateOf(run)).status).toBe('running');
  });

  test.each(['journal', 'journal.next'])(
    'a repair that crashed before %s existed is completed when the run is opened',
    async (missing) => {
      const run = await someRun();
      if (missing === 'journal') await rename(runs.path(run, 'journal'), runs.path(run, 'journal.next'));
      else await runs.append(run, LOG('later')).then(() => writeFileSync(runs.path(run, 'journal.building'), ''));
      await rm(runs.path(run, 'journal.building'), { force: true });
      expect((await runs.store.load(run)).position).toBe(missing === 'journal' ? 4 : 5);
    },
  );

  test('a reader without the lock leaves a repair that is under way alone', async () => {
    const run = await someRun();
    const [journal, next] = [runs.path(run, 'journal'), runs.path(run, 'journal.next')];
    await rename(journal, next);
    expect((await runs.store.load(run)).position).toBe(4);
    expect([existsSync(journal), existsSync(next)]).toEqual([false, true]);
    cpSync(next, journal, { recursive: true });
    expect((await runs.store.load(run)).position).toBe(4);
    expect(existsSync(next)).toBe(true);
    await runs.append(run, LOG('later'));
    expect(existsSync(next)).toBe(false);
  });
});

const RESOLVED_FILE = {
  version: 3,
  recordedAt: '2026-01-31T12:00:00.000Z',
  prev: 'x',
  hash: 'y',
  commit: { first: 3, last: 3 },
  ...RESOLVED,
};

describe('files derived from the journal', () => {
  test.each([
    ['missing', undefined],
    ['corrupt', '{'],
    ['stale', '{"stateVersion":1}'],
  ])('a state that is %s is rebuilt', async (drift, text) => {
    const run = await someRun();
    const whole = runs.json(run, 'state', 'state.json');
    if (text === undefined) await rm(runs.path(run, 'state', 'state.json'));
    else writeFileSync(runs.path(run, 'state', 'state.json'), text);
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([{ path: 'state/state.json' }]);
    expect(await rebuildState(runs.store, run, { dryRun: true })).toMatchObject({ drift, rebuilt: false });
    expect(await rebuildState(runs.store, run)).toMatchObject({ drift, rebuilt: true, state: whole });
    expect(runs.json(run, 'state', 'state.json')).toEqual(whole);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
    expect(await rebuildState(runs.store, run)).toMatchObject({ drift: 'none' });
  });

  test('a run that lost everything except its journal gets its views back', async () => {
    const run = await someRun();
    await runs.append(run, draft('RUN_COMPLETED', { output: { n: 1 } }));
    for (const name of ['state', 'tasks', 'inputs.json']) await rm(runs.path(run, name), { recursive: true });
    expect((await verifyRunDirectory(runs.store, run)).map(({ path }) => path)).toEqual([
      'state/state.json',
      'inputs.json',
      'state/output.json',
      'tasks/e1/task.json',
      'tasks/e1/result.json',
    ]);
    await rebuildState(runs.store, run, { views: true });
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
    expect(runs.json(run, 'state', 'output.json')).toEqual({ n: 1 });
    expect(runs.json(run, 'inputs.json')).toEqual({ input: 'hello' });
  });

  test.each([
    [['run.json'], /"importPath": "[^"]*"/, '"importPath": "other"'],
    [['run.json'], /"createdAt": "2026/, '"createdAt": "2027'],
    [['run.json'], /"processCodeHash": "b/, '"processCodeHash": "c'],
    [['inputs.json'], 'hello', 'bye'],
    [['state', 'output.json'], '1', '2'],
    [['tasks', 'e1', 'task.json'], 'e1', 'e2'],
    [['tasks', 'e1', 'task.json'], 'build', 'guild'],
    [['tasks', 'e1', 'result.json'], '42', '43'],
  ])('%j that differs from the journal is reported and rebuilt', async (path, what, instead) => {
    const run = await someRun();
    await runs.append(run, draft('RUN_COMPLETED', { output: { n: 1 } }));
    const file = runs.path(run, ...path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(what, instead));
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([{ path: path.join('/') }]);
    await rm(file);
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([{ path: path.join('/') }]);
    await rebuildState(runs.store, run, { views: true });
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });

  test('a torn run.json and a torn entry are repaired one after the other, whatever the run id is', async () => {
    const run = await someRun();
    const before = runs.json(run, 'run.json');
    const given = { ...run, workspaceId: 'local' };
    writeFileSync(runs.path(run, 'run.json'), '{"lay');
    runs.change(run, 3, () => '');
    await expect(rebuildState(runs.store, given)).rejects.toMatchObject({ code: 'journal_corrupt' });
    expect(await repairJournal(runs.store, given)).toMatchObject({ entries: 4, rescued: [{ effectId: 'e1' }] });
    expect(runs.json(run, 'run.json')).toEqual(before);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });

  test('a run.json with another run id is reported', async () => {
    const run = await someRun();
    const file = runs.path(run, 'run.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"runId": "[^"]*"/, '"runId": "another"'));
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([
      { path: 'run.json', message: expect.stringMatching(/it belongs to run another/) },
    ]);
  });

  test('every bit of the commit range of the last entry is verified, so no entry is dropped as unfinished', async () => {
    const run = await someRun();
    const file = runs.path(run, 'journal', runs.names(run).at(-1) as string);
    const whole = readFileSync(file);
    for (let bit = whole.indexOf('"commit"') * 8; bit < whole.length * 8; bit += 1) {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      writeFileSync(file, flipped);
      const found = await runs.store.load(run).catch(({ code }: { code: string }) => code);
      if (found !== 'journal_corrupt') throw new Error(`bit ${bit}: ${flipped.toString()}`);
    }
  });

  test('a missing blob is reported with the entry that references it', async () => {
    const run = runs.newRun();
    const valueRef = { sha256: 'a'.repeat(64), size: 9, mediaType: 'application/json' };
    const resolved = draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', valueRef });
    for (const one of [CREATED_IN_WS, ASKED, resolved]) await runs.append(run, one);
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([
      { message: `entry 3 (EFFECT_RESOLVED): blobs/${'a'.repeat(64)}.json is missing` },
    ]);
    expect(await repairJournal(runs.store, run)).toMatchObject({
      whole: false,
      lost: [`blobs/${'a'.repeat(64)}.json`],
      warnings: [expect.stringMatching(/blobs\/a+.json is missing\. .*task:invalidate/)],
    });
  });

  test('a result that differs from the journal is reported, and so is an invalid journal', async () => {
    const run = await someRun();
    writeFileSync(runs.path(run, 'tasks', 'e1', 'result.json'), '{"status":"error"}');
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([
      { path: 'tasks/e1/result.json', message: expect.stringMatching(/status is error/) },
    ]);
    const name = runs.change(run, 2, () => '');
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([{ path: `journal/${name}` }]);
  });
});
