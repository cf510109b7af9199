import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { memoryStream, streamJournalStore } from '@reins/journal';
import { LocalRun } from '@reins/replay';
import { Sandbox } from './sandbox.ts';
import { AuthoredRun, outputOf } from './testing/authored.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

const root = fileURLToPath(new URL('../testdata/', import.meta.url));
const RUN = { workspaceId: 'local', runId: 'run-1' };

/**
 * Runs the process that observes everything, with a fixed clock. @param again whether to restore it in another child
 */
async function observed(again: boolean): Promise<JsonObject[]> {
  const now = () => new Date('2026-01-31T12:00:00.000Z');
  const definition = await sandbox.process({ root, path: 'observable.mjs' });
  const options = { store: streamJournalStore(memoryStream()), run: RUN, definition, now };
  let local = await LocalRun.create(options, { inputs: null });
  if (again) {
    await local.close();
    local = await LocalRun.open(options);
  }
  if (local.processState !== 'waiting') throw new Error(JSON.stringify(local.state.processError ?? local.state.end));
  await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 1 });
  const output = outputOf(local) as JsonObject[];
  await local.close();
  return output;
}

/** The names of the values that differ. */
function differences(one: readonly JsonObject[], other: readonly JsonObject[]): string[] {
  return one.flatMap((seen, turn) =>
    [...new Set([...Object.keys(seen), ...Object.keys(other[turn] ?? {})])]
      .filter((name) => seen[name] !== other[turn]?.[name])
      .map((name) => `${name}: ${seen[name]}, then ${other[turn]?.[name]}`),
  );
}

test('a replay gets the same results from everything that a process can call, create or read', async () => {
  const [before, again] = [await observed(false), await observed(true)];
  expect(Object.keys(before[0] ?? {}).length).toBeGreaterThan(20_000);
  expect(differences(before, again)).toEqual([]);
}, 60_000);

test('events have the time of the process, and in a step the time of the machine', async () => {
  const authored = await AuthoredRun.of(
    sandbox,
    `const at = () => [new Event('x').timeStamp, performance.now()];
     const controller = new AbortController();
     const aborted = new Promise((resolve) => controller.signal.addEventListener('abort', (event) => resolve(event.timeStamp)));
     const [first] = [at(), await ctx.task({ id: 't', build: () => ({ kind: 'node' }) }, { at: new Event('x').timeStamp })];
     controller.abort();
     const event = new Event('x');
     const [made] = [event.timeStamp, await ctx.step('look', () => event.timeStamp)];
     return { first, second: at(), aborted: await aborted, again: event.timeStamp === made, machine: await ctx.step('now', () => at()) };`,
  );
  let clock = Date.parse('2026-01-31T12:00:00.000Z');
  const options = async () => ({
    ...{ store: authored.store, run: authored.run, now: () => new Date(clock) },
    definition: await authored.definition(),
  });
  await (await LocalRun.create(await options(), { inputs: null })).close();
  clock += 5000;
  const local = await LocalRun.open(await options());
  await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 1 });
  const seen = outputOf(local) as { machine: number[] };
  await local.close();
  expect(seen).toMatchObject({ first: [0, 0], second: [5000, 5000], aborted: 5000, again: true });
  const [made = 0, now = 0] = seen.machine;
  expect(made).not.toBe(5000);
  expect(made).toBeLessThanOrEqual(now);
  const again = await authored.open();
  expect(again.divergence).toBeUndefined();
  await again.close();
});

test('the stack of an error contains only code of the process, in any folder', async () => {
  const body = `
    const old = await import('./old.cjs');
    const stacks = [];
    const note = (work) => Promise.resolve().then(work).catch((error) => stacks.push(error.stack));
    await note(() => null.x);
    await note(() => old.default());
    await note(() => ctx.effect('none', {}));
    return stacks;`;
  const authored = () =>
    AuthoredRun.of(sandbox, body, { 'old.cjs': 'module.exports = () => { throw new RangeError("old"); };' });
  const seen: string[][] = [];
  for (const run of [await authored(), await authored()]) {
    const local = await run.create();
    seen.push(outputOf(local) as string[]);
    await local.close();
  }
  const [[missing, old, refused] = [], again] = seen;
  expect(missing).toMatch(/^TypeError: Cannot read properties of null .*\n {4}at main\.mjs:\d+:\d+\n/);
  expect(old).toMatch(/^RangeError: old\n {4}at .*old\.cjs:1:/);
  expect(refused).toMatch(/^ReinsError: ctx\.effect cannot request an effect of the kind none/);
  expect([missing, old, refused].join()).not.toMatch(/file:|node:|libs\/|dist\//);
  expect(again).toEqual([missing, old, refused]);
});
