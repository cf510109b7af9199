import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunAddress } from '@reins/contracts';
import { hashEntry } from '@reins/journal';
import { draft, EXAMPLES, requestedDraft } from '@reins/journal/testing';
import { RunDirectoryStore } from '../store/run-directory-store.ts';
import { CREATED_IN_WS, RunsFolder } from '../testing/runs-folder.ts';
import { verifyRunDirectory } from '../views/rebuild.ts';
import { repairJournal } from './repair.ts';

let runs: RunsFolder;
beforeAll(async () => {
  runs = await RunsFolder.make();
});
afterAll(() => runs.remove());

const now = () => new Date('2026-02-01T00:00:00.000Z');
const stepAnswer = (n: number) =>
  draft('EFFECT_RESOLVED', { effectId: `s${n}`, attempt: 1, status: 'ok', value: `answer ${n}` });

/** 1 created, then four steps and their answers, 10 to 12 log entries. */
async function someRun(): Promise<RunAddress> {
  const run = runs.newRun();
  await runs.append(run, {
    ...CREATED_IN_WS,
    data: { ...CREATED_IN_WS.data, idempotencyKey: run.runId },
  } as typeof CREATED_IN_WS);
  for (const n of [1, 2, 3, 4]) {
    await runs.append(run, requestedDraft(`s${n}`, 'step', EXAMPLES.step.request));
    await runs.append(run, stepAnswer(n));
  }
  await runs.append(run, draft('PROCESS_LOG', { message: 'a' }), draft('PROCESS_LOG', { message: 'b' }));
  await runs.append(run, draft('PROCESS_LOG', { message: 'c' }));
  return run;
}

const entriesOf = async (run: RunAddress) => (await runs.store.load(run)).entries;
const nameOf = (run: RunAddress, version: number): string => runs.names(run)[version - 1] ?? '';
const at = (run: RunAddress, name: string): string => runs.path(run, 'journal', name);

async function rotate(run: RunAddress, versions: readonly number[]): Promise<void> {
  const names = versions.map((version) => nameOf(run, version));
  for (const name of names) await rename(at(run, name), at(run, `${name}.moved`));
  for (const [i, name] of names.entries())
    await rename(at(run, `${name}.moved`), at(run, names[(i + 1) % names.length] ?? ''));
}

describe('the order of entries', () => {
  test.each([[[8, 9]], [[4, 5]], [[10, 11, 12]]])('is that of the hash chain: %j exchanged', async (versions) => {
    const run = await someRun();
    const before = await entriesOf(run);
    await rotate(run, versions);
    const moved = await repairJournal(runs.store, run, { now, dryRun: true });
    expect(moved).toMatchObject({ dropped: [], suspicious: [], rescued: [], lost: [], warnings: [], whole: false });
    expect(moved.reordered?.map(({ version }) => version)).toEqual(versions);
    await repairJournal(runs.store, run, { now });
    expect(await entriesOf(run)).toEqual(before);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });

  test('is kept, and an entry of another run is dropped', async () => {
    const run = await someRun();
    const before = await entriesOf(run);
    const other = await someRun();
    const name = nameOf(run, 12)
      .replace('000012', '000013')
      .replace(/[0-9A-Z]{26}/, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    await runs.append(other, draft('PROCESS_LOG', { message: 'd' }));
    writeFileSync(at(run, name), readFileSync(at(other, nameOf(other, 13))));
    expect(await repairJournal(runs.store, run, { now })).toMatchObject({
      dropped: [{ name, why: 'it does not belong to the hash chain of this journal', type: 'PROCESS_LOG' }],
    });
    expect(await entriesOf(run)).toEqual(before);
  });
});

describe('a second way in which the journal continues', () => {
  /** Adds an intact entry 9 with another answer. */
  async function branched(): Promise<{
    readonly run: RunAddress;
    readonly before: Awaited<ReturnType<typeof entriesOf>>;
  }> {
    const run = await someRun();
    const before = await entriesOf(run);
    const stored = JSON.parse(readFileSync(at(run, nameOf(run, 9)), 'utf8'));
    const { commit, hash: _, ...entry } = stored;
    const other = { ...entry, data: { ...entry.data, value: 'another answer' } };
    writeFileSync(at(run, '000009 copy.json'), JSON.stringify({ ...other, hash: hashEntry(other), commit }));
    return { run, before };
  }

  test('is moved aside if the stored state proves the other one', async () => {
    const { run, before } = await branched();
    expect(await repairJournal(runs.store, run, { now })).toMatchObject({ aside: [{ name: '000009 copy.json' }] });
    expect(await entriesOf(run)).toEqual(before);
  });

  test('is not decided by a repair if nothing proves one of them', async () => {
    const { run, before } = await branched();
    rmSync(runs.path(run, 'state'), { recursive: true });
    const unproven = [{ entry: 9, effectId: 's4', rival: '000009 copy.json' }];
    const refused = await repairJournal(runs.store, run, { now });
    expect(refused).toMatchObject({ unproven, warnings: [expect.stringContaining('nothing says which is right')] });
    expect(refused.backup).toBeUndefined();
    expect(await repairJournal(runs.store, run, { now, accept: ['s4'] })).toMatchObject({ accepted: unproven });
    const after = await entriesOf(run);
    expect(after.map(({ type }) => type).slice(7, 10)).toEqual(['EFFECT_REQUESTED', 'PROCESS_LOG', 'EFFECT_RESOLVED']);
    expect(after[9]?.data).toEqual(before[8]?.data);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });
});

describe('anything else in the folder', () => {
  test.each<[name: string, make: (path: string) => void, why: RegExp]>([
    ['000005.7ZZZZZZZZZZZZZZZZZZZZZZZZZ.json', (path) => mkdirSync(path), /it is a folder/],
    ['000013.7ZZZZZZZZZZZZZZZZZZZZZZZZZ.json', (path) => symlinkSync('x', path), /symbolic link to a file that/],
    ['.DS_Store', (path) => writeFileSync(path, 'x'), /not a valid entry name/],
    ['000001 copy.json', (path) => writeFileSync(path, '{}'), /not a valid entry name/],
  ])('(%s) is reported, and a repair moves it aside', async (name, make, why) => {
    const run = await someRun();
    const before = await entriesOf(run);
    make(at(run, name));
    expect(await verifyRunDirectory(runs.store, run)).toMatchObject([
      { code: 'journal_corrupt', message: expect.stringMatching(why), path: `journal/${name}` },
    ]);
    const done = await repairJournal(runs.store, run, { now });
    expect(done).toMatchObject({ aside: [{ name, why: expect.stringMatching(why) }], lost: [], warnings: [] });
    expect(readdirSync(runs.path(run, 'orphaned'))).toEqual([`${name}.bak.${now().getTime()}`]);
    expect(await entriesOf(run)).toEqual(before);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
    expect(await repairJournal(runs.store, run)).toMatchObject({ whole: true });
  });
});

describe('changed content', () => {
  const change = (run: RunAddress) => runs.change(run, 5, (text) => text.replace('answer 2', 'other 2'));

  test('of a result that nothing proves is not kept until it is accepted, and the journal says so', async () => {
    const run = await someRun();
    const name = change(run);
    const names = runs.names(run);
    const refused = await repairJournal(runs.store, run, { now });
    expect(refused).toMatchObject({
      whole: false,
      unproven: [{ entry: 5, name, type: 'EFFECT_RESOLVED', effectId: 's2' }],
      warnings: [expect.stringMatching(/entry 5 .* of effect s2 was changed.*--accept s2/)],
    });
    expect(refused).not.toHaveProperty('backup');
    expect(runs.names(run)).toEqual(names);
    await expect(repairJournal(runs.store, run, { accept: ['s3'] })).rejects.toMatchObject({ code: 'wrong_usage' });

    const done = await repairJournal(runs.store, run, { now, accept: ['s2'] });
    expect(done).toMatchObject({ accepted: [{ entry: 5, effectId: 's2' }], warnings: [], entries: 13 });
    const accepted = { entry: 5, type: 'EFFECT_RESOLVED', effectId: 's2' };
    expect((await entriesOf(run)).slice(4, 6)).toMatchObject([
      { type: 'PROCESS_LOG', data: { label: 'run:repair-journal', message: { accepted } } },
      { type: 'EFFECT_RESOLVED', data: { value: 'other 2' } },
    ]);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });

  test('with a matching hash is not proven if the next entry has another hash', async () => {
    const run = await someRun();
    runs.change(run, 5, (text) => {
      const entry = JSON.parse(text.replace('answer 2', 'other 2'));
      return JSON.stringify({ ...entry, hash: hashEntry(entry) });
    });
    expect(await repairJournal(runs.store, run, { now })).toMatchObject({ unproven: [{ entry: 5, effectId: 's2' }] });
  });

  test('of a log entry is kept with a warning', async () => {
    const run = await someRun();
    runs.change(run, 10, (text) => text.replace('"a"', '"z"'));
    expect(await repairJournal(runs.store, run, { now })).toMatchObject({
      lost: [],
      warnings: [expect.stringMatching(/entry 10 \(PROCESS_LOG\) was changed/)],
    });
    expect((await entriesOf(run))[9]).toMatchObject({ data: { message: 'z' } });
  });
});

describe('the run id', () => {
  test('in run.json is restored if it is that of another run', async () => {
    const run = await someRun();
    const file = runs.path(run, 'run.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace(/"runId": "[^"]*"/, '"runId": "another"'));
    // The command line takes the run id from run.json.
    const store = new RunDirectoryStore(runs.root, run.runId);
    await expect(store.load({ ...run, runId: 'another' })).rejects.toMatchObject({
      code: 'journal_corrupt',
      path: 'run.json',
    });
    expect(await repairJournal(store, { ...run, runId: 'another' })).toMatchObject({
      whole: false,
      warnings: [expect.stringMatching(/run\.json belongs to another run/)],
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });

  test('of a run without its first entry and run.json is kept, and the given process starts it', async () => {
    const run = await someRun();
    const [first, ...others] = await entriesOf(run);
    rmSync(at(run, nameOf(run, 1)));
    rmSync(runs.path(run, 'run.json'));
    await expect(repairJournal(runs.store, run)).rejects.toMatchObject({ hint: expect.stringMatching(/--entry/) });
    const process = { id: 'p.mjs', codeHash: 'c' };
    expect(await repairJournal(runs.store, run, { process, now })).toMatchObject({
      entries: 13,
      warnings: expect.arrayContaining([expect.stringMatching(/recovered for the given process/)]),
    });
    const entries = await entriesOf(run);
    expect(entries[0]).toMatchObject({
      type: 'RUN_CREATED',
      data: { process, inputs: first?.data && { input: 'hello' } },
    });
    expect(entries[1]).toMatchObject({ data: { message: { accepted: { entry: 1, from: '--entry' } } } });
    expect(entries.slice(2).map(({ data }) => data)).toEqual(others.map(({ data }) => data));
    expect(await verifyRunDirectory(runs.store, run)).toEqual([]);
  });
});
