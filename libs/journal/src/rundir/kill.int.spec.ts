import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FAULTS, type Fault } from './testing/faulty-fs.ts';
import { runWriter, wrongAfter } from './testing/kills.ts';
import { RunsFolder } from './testing/runs-folder.ts';

let runs: RunsFolder;
beforeAll(async () => {
  runs = await RunsFolder.make();
});
afterAll(() => runs.remove());

test('a writer that is killed again and again loses nothing that it was told is stored, and needs no hand', async () => {
  const run = runs.newRun();
  for (let round = 0; round < 8; round += 1) {
    const told = await runWriter(runs, run, { seed: round * 1000, killAfter: 1 + ((round * 7) % 11) });
    expect(await wrongAfter(runs, run, told)).toEqual([]);
  }
});

test('two writers at once, one of them killed: one row of entries, nothing told is lost', async () => {
  const run = runs.newRun();
  const told = await Promise.all([0, 5000].map((seed) => runWriter(runs, run, { seed, killAfter: 15 })));
  const { entries } = await runs.store.load(run);
  for (const { position, hash } of told) expect(entries[position - 1]?.hash).toBe(hash);
});

// A few of the writes of a run; all of them, and kills at random: `npm run kills:rundir`.
describe.each(FAULTS)('a fault at a write: %s', (fault: Fault) => {
  const points = [2, 42];
  test('loses nothing that was told, and needs no hand', async () => {
    const found = await Promise.all(
      points.map(async (at) => {
        const run = runs.newRun();
        const told = await runWriter(runs, run, { seed: 1, commits: 4, fault, at });
        expect(told.writes).toBeUndefined();
        return wrongAfter(runs, run, told);
      }),
    );
    expect(found.flat()).toEqual([]);
  });
});

test('a disk that becomes full at the content of a file keeps nothing unfinished', async () => {
  const run = runs.newRun();
  await runWriter(runs, run, { seed: 1, commits: 4, fault: 'full', at: 3 });
  const names = readdirSync(runs.path(run), { recursive: true }).map(String);
  expect(names.filter((name) => name.includes('.unfinished-'))).toEqual([]);
});

test('there are more writes than are tried', async () => {
  const { writes } = await runWriter(runs, runs.newRun(), { seed: 1, commits: 4 });
  expect(writes).toBeGreaterThan(42);
});
