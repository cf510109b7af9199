import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

const bench = await Workbench.make();
afterAll(() => bench.remove());

/** Runs a command line with sandboxed processes, as for users. */
async function reins(...args: string[]): Promise<{ readonly exit: number; readonly json: JsonObject }> {
  const { exit, json } = await bench.forPeople([...args, '--json'], {}, false);
  return { exit, json };
}

const KEEPS = `
const kept = defineTask('kept', (args, ctx) => ({ kind: 'node', title: 'Kept', inputsRef: ctx.createBlobRef('notes', { n: args.n }) }));`;

test('a run in a sandbox can store task files but cannot reach the machine', async () => {
  const body = `const answer = await ctx.task(kept, { n: 1 }, { key: 'kept' });
    return { answer, env: Object.keys(globalThis.process.env).length, net: typeof globalThis.fetch };`;
  const entry = bench.process('sandboxed', body, KEEPS);
  await reins('run:create', '--run-id', 'boxed', '--entry', `${entry}#process`, '--inputs', '{}');
  const { exit, json } = await reins('run:iterate', 'boxed');
  expect(exit).toBe(0);
  const [action] = json.nextActions as JsonObject[];
  const { inputsRef } = (action?.taskDef ?? {}) as { inputsRef: string };
  expect(inputsRef).toMatch(/^tasks\/.*\/blobs\/notes-.*\.json$/);
  expect(existsSync(join(bench.runs, 'boxed', inputsRef))).toBe(true);
  await reins('task:post', 'boxed', String(action?.effectId), '--status', 'ok', '--value-inline', '7');
  expect((await reins('run:iterate', 'boxed')).json).toMatchObject({
    status: 'completed',
    output: { answer: 7, env: 0 },
  });
  expect((await reins('replay', 'boxed')).json).toMatchObject({ identical: true });
});

test('a run with the hash of its single file continues without a code change', async () => {
  const entry = bench.process('known', `return ctx.task(step, { n: 1 });`);
  await bench.json(['run:create', '--run-id', 'known', '--entry', `${entry}#process`, '--inputs', '{}']);
  await reins('run:iterate', 'known');
  const { events } = (await reins('run:events', 'known')).json as unknown as { events: { type: string }[] };
  expect(events.map(({ type }) => type)).toEqual(['RUN_CREATED', 'EFFECT_REQUESTED']);
});

test('a new run has the code hash of the package that was created next to the runs', async () => {
  const main = bench.file('fresh/process/main.mjs', 'export const process = async () => 7;');
  const project = join(main, '..', '..');
  const runs = ['--runs-dir', join(project, 'runs')];
  expect(await reins('run:create', '--entry', `${main}#process`, '--run-id', 'new', ...runs)).toMatchObject({
    exit: 0,
  });
  expect(existsSync(join(project, 'package.json'))).toBe(true);
  expect((await reins('run:iterate', join(project, 'runs', 'new'))).json).toMatchObject({ output: 7 });
  const { events } = (await reins('run:events', join(project, 'runs', 'new'))).json as unknown as {
    events: { type: string }[];
  };
  expect(events.map(({ type }) => type)).toEqual(['RUN_CREATED', 'RUN_COMPLETED']);
});

test('refuses code that needs unavailable modules before the run is created', async () => {
  const entry = bench.file('wild.mjs', `import 'node:child_process';\nexport const process = async () => 1;\n`);
  const { exit, json } = await reins('run:create', '--run-id', 'wild', '--entry', `${entry}#process`);
  expect(exit).toBe(1);
  expect(json.errors).toMatchObject([{ code: 'process_import_refused' }]);
  expect(existsSync(join(bench.runs, 'wild'))).toBe(false);
});

test('a sandbox gets large inputs and results that the journal stores by reference', async () => {
  const entry = bench.process('large', 'return (inputs.text + (await ctx.task(step, { n: inputs.text }))).length;');
  const text = 'x'.repeat(1_100_000);
  const inputs = bench.file('large.json', JSON.stringify({ text }));
  await reins('run:create', '--run-id', 'large', '--entry', `${entry}#process`, '--inputs', inputs);
  const { nextActions } = (await reins('run:iterate', 'large')).json as { nextActions: [{ effectId: string }] };
  const value = bench.file('value.json', JSON.stringify(text));
  await reins('task:post', 'large', nextActions[0].effectId, '--status', 'ok', '--value', value);
  expect((await reins('run:iterate', 'large')).json).toMatchObject({ status: 'completed', output: 2 * text.length });
});
