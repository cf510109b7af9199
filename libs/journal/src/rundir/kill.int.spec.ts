import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunAddress } from '@reins/contracts';
import { draft } from '../testing/journals.ts';
import { verifyRunDirectory } from './rebuild.ts';
import { RunsFolder } from './testing/runs-folder.ts';

const WRITER = fileURLToPath(new URL('./testing/writer.ts', import.meta.url));

let runs: RunsFolder;
beforeAll(async () => {
  runs = await RunsFolder.make();
});
afterAll(() => runs.remove());

/** Starts a writer; kills it once it has told so many commits, at whatever it does then. Returns what it told. */
async function killedWriter(
  run: RunAddress,
  commits: number,
  seed: number,
): Promise<{ position: number; hash: string }> {
  const child = spawn(process.execPath, ['--conditions=reins-source', WRITER, runs.root, run.runId, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (told.split('\n').length > commits) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const [position = '0', hash = ''] = (told.split('\n').at(-2) ?? '').split(' ');
  return { position: Number(position), hash };
}

test('a writer that is killed again and again loses nothing that it was told is stored, and needs no hand', async () => {
  const run = runs.newRun();
  for (let round = 0; round < 8; round += 1) {
    const told = await killedWriter(run, 1 + ((round * 7) % 11), round * 1000);
    const { entries, position } = await runs.store.load(run);
    expect(position).toBeGreaterThanOrEqual(told.position);
    expect(entries[told.position - 1]?.hash).toBe(told.hash);
  }
  await runs.append(run, draft('PROCESS_LOG', { message: 'alive' }));
  const left = (await readdir(runs.path(run, 'state'))).filter((name) => name.startsWith('.'));
  expect(left).toEqual([]);
  expect((await verifyRunDirectory(runs.store, run)).filter(({ path }) => path?.startsWith('journal'))).toEqual([]);
}, 60_000);

test('two writers at once, one of them killed: one row of entries, nothing told is lost', async () => {
  const run = runs.newRun();
  const told = await Promise.all([killedWriter(run, 15, 0), killedWriter(run, 15, 5000)]);
  const { entries } = await runs.store.load(run);
  for (const { position, hash } of told) expect(entries[position - 1]?.hash).toBe(hash);
}, 60_000);
