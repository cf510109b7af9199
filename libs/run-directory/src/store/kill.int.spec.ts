import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FAULTS, type Fault } from '../testing/faulty-fs.ts';
import { problemsAfter, runWriter } from '../testing/kills.ts';
import { RunsFolder } from '../testing/runs-folder.ts';

let runs: RunsFolder;
beforeAll(async () => {
  runs = await RunsFolder.make();
});
afterAll(() => runs.remove());

test('a writer that is killed repeatedly loses no acknowledged commit, and needs no manual step', async () => {
  const run = runs.newRun();
  for (let round = 0; round < 8; round += 1) {
    const acknowledged = await runWriter(runs, run, { seed: round * 1000, killAfter: 1 + ((round * 7) % 11) });
    expect(await problemsAfter(runs, run, acknowledged)).toEqual([]);
  }
});

test('two writers, one of them killed: one sequence of entries, and no acknowledged commit is lost', async () => {
  const run = runs.newRun();
  const acknowledged = await Promise.all([0, 5000].map((seed) => runWriter(runs, run, { seed, killAfter: 15 })));
  const { entries } = await runs.store.load(run);
  for (const { position, hash } of acknowledged) expect(entries[position - 1]?.hash).toBe(hash);
});

// Tests a few writes of a run. `npm run kills:rundir` tests all writes, and random kills.
describe.each(FAULTS)('a fault during a write: %s', (fault: Fault) => {
  const points = [2, 42];
  test('loses no acknowledged commit, and needs no manual step', async () => {
    const found = await Promise.all(
      points.map(async (at) => {
        const run = runs.newRun();
        const acknowledged = await runWriter(runs, run, { seed: 1, commits: 4, fault, at });
        expect(acknowledged.writes).toBeUndefined();
        return problemsAfter(runs, run, acknowledged);
      }),
    );
    expect(found.flat()).toEqual([]);
  });
});

test('a disk that becomes full during a write leaves no unfinished file', async () => {
  const run = runs.newRun();
  await runWriter(runs, run, { seed: 1, commits: 4, fault: 'full', at: 3 });
  const names = readdirSync(runs.path(run), { recursive: true }).map(String);
  expect(names.filter((name) => name.includes('.unfinished-'))).toEqual([]);
});

test('a run has more writes than the last fault point', async () => {
  const { writes } = await runWriter(runs, runs.newRun(), { seed: 1, commits: 4 });
  expect(writes).toBeGreaterThan(42);
});
