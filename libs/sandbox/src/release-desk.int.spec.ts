/** Runs the example workspace `release-desk`, which has its own process, from start to end. */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { memoryStream, streamJournalStore } from '@reins/journal';
import { LocalRun } from '@reins/replay';
import { Sandbox } from './sandbox.ts';

const root = fileURLToPath(new URL('../../../examples/release-desk', import.meta.url));
const release = { root, path: 'process/release.ts', exportName: 'release' };
const sandbox = new Sandbox();
afterAll(() => sandbox.close());

class Release {
  readonly #store = streamJournalStore(memoryStream());
  readonly #run = { workspaceId: 'ws', runId: 'run-1' };
  #now = Date.parse('2026-01-01T00:00:00.000Z');
  local: LocalRun | undefined;

  async create(inputs: JsonValue): Promise<this> {
    this.local = await LocalRun.create(await this.#options(), { inputs });
    return this;
  }

  /** A new owner continues the run later. */
  async goesOnAfter(ms: number): Promise<void> {
    await this.local?.close();
    this.#now += ms;
    this.local = await LocalRun.open(await this.#options());
  }

  async answer(label: string, value: JsonValue): Promise<void> {
    const effect = this.local?.pending.find((one) => one.label === label || one.key.includes(label));
    await this.local?.post(effect?.effectId ?? label, { status: 'ok', value });
  }

  get asked(): (string | undefined)[] {
    return this.local?.pending.map(({ kind, label }) => (label === undefined ? kind : `${kind} ${label}`)) ?? [];
  }

  async #options() {
    const definition = await sandbox.process(release);
    return { store: this.#store, run: this.#run, definition, now: () => new Date(this.#now) };
  }
}

test('declares its inputs', async () => {
  await sandbox.inspect(release, { version: '1.4.0', holdSeconds: 0 });
  await expect(sandbox.inspect(release, { version: 'soon' })).rejects.toMatchObject({
    problems: [{ code: 'request_invalid', path: 'input/version' }],
  });
});

test('requests notes and checks, then an approval, waits for objections, and releases, with any owner', async () => {
  const run = await new Release().create({ version: '1.4.0' });
  expect(run.asked).toEqual([
    'child',
    'task unit tests of 1.4.0 (answer "passed" or "failed")',
    'task licences of 1.4.0 (answer "passed" or "failed")',
  ]);
  await run.answer('notes', { output: 'It is faster.' });
  await run.answer('unit tests', 'passed');
  await run.goesOnAfter(60_000);
  await run.answer('licences', 'one is missing');
  expect(run.asked).toEqual(['breakpoint Release']);
  await run.answer('Release', { approved: true });
  expect(run.asked).toEqual(['sleep for objections']);
  await run.goesOnAfter(3_599_000);
  expect(run.asked).toEqual(['sleep for objections']);
  await run.goesOnAfter(1_000);
  const output = { tag: 'v1.4.0', checks: 2, failed: ['licences'] };
  expect(run.local?.state.end).toMatchObject({ status: 'completed', output });
});

test('completes when the release is rejected', async () => {
  const run = await new Release().create({ version: '1.4.0' });
  for (const label of ['notes', 'unit tests', 'licences']) await run.answer(label, 'passed');
  await run.answer('Release', { approved: false });
  expect(run.local?.state.end).toMatchObject({ status: 'halted', reason: 'nobody wanted it' });
});
