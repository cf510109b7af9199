import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { ProcessContext } from '../process-context.ts';
import { definition, draft, RunDriver } from '../testing/run-driver.ts';

/** Calls from code without type checks. */
type Call = (ctx: { readonly [name in keyof ProcessContext]: (...args: unknown[]) => Promise<JsonValue> }) => unknown;

const TASK = { kind: 'node', taskId: 't' };
const task = { id: 't', build: () => ({ kind: 'node' }) };
const one = () => 1;
const limited =
  (limits: unknown): Call =>
  (ctx) =>
    ctx.effect('task', TASK, { limits });

/** A process that returns the error of its call. */
function outputOf(call: Call): Promise<RunDriver> {
  return RunDriver.start(
    definition(async (ctx) => {
      try {
        return ((await call(ctx as never)) as JsonValue) ?? null;
      } catch (error) {
        const { code = 'none', message } = error as { code?: string; message: string };
        return { code, message };
      }
    }),
  );
}

describe('an invalid option', () => {
  test.each<[text: string, call: Call, names: RegExp]>([
    ['maxAttempts of a step: 0', (ctx) => ctx.step('x', one, { maxAttempts: 0 }), /^maxAttempts must be .*\(got 0\)$/],
    ['maxAttempts of a step: 1.5', (ctx) => ctx.step('x', one, { maxAttempts: 1.5 }), /^maxAttempts .*\(got 1\.5\)$/],
    ['timeoutMs of a step: -1', (ctx) => ctx.step('x', one, { timeoutMs: -1 }), /^timeoutMs must be .*\(got -1\)$/],
    [
      'timeoutMs of a step: "5s"',
      (ctx) => ctx.step('x', one, { timeoutMs: '5s' }),
      /^timeoutMs must be .*\(got "5s"\)$/,
    ],
    [
      'timeoutMs of a step: Infinity',
      (ctx) => ctx.step('x', one, { timeoutMs: Infinity }),
      /^timeoutMs .*\(got Infinity\)$/,
    ],
    ['backoffMs of a step: NaN', (ctx) => ctx.step('x', one, { backoffMs: Number.NaN }), /^backoffMs .*\(got NaN\)$/],
    [
      'maxBackoffMs of a step: null',
      (ctx) => ctx.step('x', one, { maxBackoffMs: null }),
      /^maxBackoffMs .*\(got null\)$/,
    ],
    ['the work of a step', (ctx) => ctx.step('x', 'y'), /^the work of a step must be a function$/],
    ['timeout of a hook: 0', (ctx) => ctx.hook('h', {}, { timeout: 0 }), /^timeout must be .*\(got 0\)$/],
    ['timeout of a hook: "1"', (ctx) => ctx.hook('h', {}, { timeout: '1' }), /^timeout must be .*\(got "1"\)$/],
    ['the type of a hook', (ctx) => ctx.hook(5, {}), /^the type of a hook must be a string \(got 5\)$/],
    ['runForMs: 0', limited({ runForMs: 0 }), /^limits\.runForMs must be .*\(got 0\)$/],
    ['runForMs: longer than time', limited({ runForMs: Number.MAX_SAFE_INTEGER }), /^limits\.runForMs must be/],
    ['startWithinMs: "1"', limited({ startWithinMs: '1' }), /^limits\.startWithinMs must be .*\(got "1"\)$/],
    ['maxAttempts: -1', limited({ maxAttempts: -1 }), /^limits\.maxAttempts must be .*\(got -1\)$/],
    [
      'onUnknown: "never"',
      limited({ onUnknown: 'never' }),
      /^limits\.onUnknown must be one of retry, fail, ask \(got "never"\)$/,
    ],
    ['an unknown limit', limited({ timeoutMs: 5 }), /^unknown limit limits\.timeoutMs$/],
    ['limits that are not an object', limited(5), /^limits must be an object \(got 5\)$/],
    [
      'expiresAt of a breakpoint',
      (ctx) => ctx.breakpoint({}, { expiresAt: 'soon' }),
      /^expiresAt is not a valid time \(got soon\)$/,
    ],
    ['breakpointId: 7', (ctx) => ctx.breakpoint({}, { breakpointId: 7 }), /^breakpointId must be a non-empty string/],
    ['label of a breakpoint: 7', (ctx) => ctx.breakpoint({}, { label: 7 }), /^the label must be a string \(got 7\)$/],
    ['the payload of a breakpoint', (ctx) => ctx.breakpoint(null), /^a breakpoint needs a payload$/],
    [
      'deadline of a signal: null',
      (ctx) => ctx.signal('s', { deadline: null }),
      /^the deadline of a signal is not a valid/,
    ],
    [
      'deadline of a signal: -1',
      (ctx) => ctx.signal('s', { deadline: -1 }),
      /^the deadline of a signal is not a valid/,
    ],
    ['a sleep until true', (ctx) => ctx.sleepUntil(true), /^the time to sleep until is not a valid time \(got true\)$/],
    [
      'a sleep beyond the year 9999',
      (ctx) => ctx.sleepUntil(8.64e15),
      /is not a valid time: it must be before the year 10000$/,
    ],
    ['label of a sleep', (ctx) => ctx.sleepUntil('2030-01-01', { label: {} }), /^the label must be a string/],
    ['label of a task: 5', (ctx) => ctx.task(task, {}, { label: 5 }), /^the label must be a string \(got 5\)$/],
    [
      'label of an orchestrator task',
      (ctx) => ctx.orchestratorTask({}, { label: 5 }),
      /^the label must be a string \(got 5\)$/,
    ],
    ['label of an effect', (ctx) => ctx.effect('task', TASK, { label: 5 }), /^the label must be a string \(got 5\)$/],
    ['the process of a child run', (ctx) => ctx.child('', {}), /^the process of ctx\.child must be a non-empty string/],
    [
      'processPath of a subprocess',
      (ctx) => ctx.subprocess({}),
      /^processPath must be a non-empty string \(got undefined\)$/,
    ],
    [
      'exportName of a subprocess',
      (ctx) => ctx.subprocess({ processPath: 'p', exportName: 3 }),
      /^exportName must be a non-empty string/,
    ],
    ['a subprocess without a request', (ctx) => ctx.subprocess(), /^the request of ctx\.subprocess must be an object$/],
  ])('is rejected by the call, with its name: %s', async (_text, call, names) => {
    const driver = await outputOf(call);
    expect(driver.state.end).toMatchObject({
      output: { code: 'process_invalid', message: expect.stringMatching(names) },
    });
    expect(driver.entries.map(({ type }) => type)).toEqual(['RUN_CREATED', 'RUN_COMPLETED']);
  });

  test('maxConcurrency, too', async () => {
    const driver = await outputOf((ctx) =>
      (ctx as unknown as ProcessContext).parallel.all([one], { maxConcurrency: 0 }),
    );
    expect(driver.state.end).toMatchObject({
      output: { code: 'process_invalid', message: expect.stringMatching(/^maxConcurrency must be/) },
    });
  });

  test('undefined options keep their defaults', async () => {
    const driver = await outputOf((ctx) =>
      ctx.effect('task', TASK, { label: undefined, limits: { runForMs: undefined } }),
    );
    expect(driver.pending[0]?.limits.runForMs).toBeGreaterThan(1e9);
    const step = await outputOf((ctx) => ctx.step('x', one, { maxAttempts: undefined, timeoutMs: undefined }));
    expect(step.turn.steps).toMatchObject([{ maxAttempts: 3, timeoutMs: 60_000 }]);
  });

  test('a time that exceeds the timers of Node.js does not end immediately', async () => {
    const later = () => new Promise((resolve) => setImmediate(() => resolve('done')));
    const driver = await outputOf((ctx) => ctx.step('x', later, { timeoutMs: 2 ** 40 }));
    await driver.runSteps();
    expect(driver.state.end).toMatchObject({ output: 'done' });
  });
});

test('a recorded call is not validated again: it replays', async () => {
  const driver = await RunDriver.start(definition((ctx) => ctx.step('x', () => 1, { backoffMs: 5 })));
  const { turn } = await driver.replayed(definition((ctx) => ctx.step('x', () => 1, { backoffMs: -5 })));
  expect(turn).toMatchObject({ state: 'waiting', drafts: [], steps: [{ name: 'x' }] });
  await driver.feed(draft('PROCESS_LOG', { message: 'still there' }));
  expect(driver.turn.state).toBe('waiting');
});
