import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runPaths } from '../store/layout.ts';
import { RunsFolder } from '../testing/runs-folder.ts';
import { RunBlobs } from './run-blobs.ts';

let runs: RunsFolder;
beforeAll(async () => {
  runs = await RunsFolder.make();
});
afterAll(() => runs.remove());

test('equal values are stored once and can be read', async () => {
  const paths = runPaths(runs.path(runs.newRun()));
  const blobs = new RunBlobs(paths);
  const ref = await blobs.put({ b: 'ä', a: [1] });
  expect(await blobs.put({ a: [1], b: 'ä' })).toEqual(ref);
  expect(ref.size).toBe(18);
  expect(await readdir(paths.blobs)).toEqual([`${ref.sha256}.json`]);
  expect(await blobs.get(ref)).toEqual({ a: [1], b: 'ä' });
});

test('a missing or changed blob is reported', async () => {
  const paths = runPaths(runs.path(runs.newRun()));
  const blobs = new RunBlobs(paths);
  const ref = await blobs.put('text');
  writeFileSync(`${paths.blobs}/${ref.sha256}.json`, '"next"');
  await expect(blobs.get(ref)).rejects.toMatchObject({
    code: 'journal_corrupt',
    path: `blobs/${ref.sha256}.json`,
    hint: expect.stringContaining('run:verify'),
  });
  await expect(blobs.get({ sha256: 'ab'.repeat(32), size: 1 })).rejects.toThrow(/is missing/);
});
