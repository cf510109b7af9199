import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { ProcessContext } from '../process-context.ts';
import { definition, RunDriver } from '../testing/run-driver.ts';

describe('what JSON cannot carry', () => {
  const self: { items: unknown[] } = { items: [1] };
  self.items.push({ self });
  test.each<readonly [unknown, string]>([
    [self, 'the output.items[1].self is an object that contains itself'],
    [[{ n: 1n }], 'the output[0].n is a bigint'],
    [{ a: [Symbol('a')] }, 'the output.a[0] is a symbol'],
    [[() => 1], 'the output[0] is a function'],
    [{ mean: 0 / 0 }, 'the output.mean is NaN'],
    [-1 / 0, 'the output is -Infinity'],
    [{ byName: new Map([['a', 1]]) }, 'the output.byName is a Map'],
    [[new Set([1])], 'the output[0] is a Set'],
  ])('is an error of an output, with its place: %#', async (value, message) => {
    const run = async () => value as JsonValue;
    const driver = await RunDriver.start(definition(run, { onError: 'operator' }));
    const error = { code: 'process_invalid', message: `${message}, which JSON cannot carry` };
    expect(driver.turn.state).toBe('broken');
    expect(driver.state.processError).toMatchObject({ error });
  });

  test('a repeated value is not a cycle, and toJSON is called once', async () => {
    const shared = { at: new Date(0), left: undefined, out: () => 1 };
    const itself = { n: 1, toJSON: () => itself };
    const run = async () => ({ shared, again: [shared, undefined], bytes: Buffer.from('a'), itself }) as never;
    const copied = { at: '1970-01-01T00:00:00.000Z' };
    const output = { shared: copied, again: [copied, null], bytes: { type: 'Buffer', data: [97] }, itself: { n: 1 } };
    expect((await RunDriver.start(definition(run))).state.end).toEqual(expect.objectContaining({ output }));
  });

  const AROUND: Readonly<Record<string, (ctx: ProcessContext, value: never) => unknown>> = {
    task: (ctx, value) => ctx.task({ id: 't', build: () => ({ kind: 'node' }) }, value),
    'the definition of a task': (ctx, value) => ctx.task({ id: 't', build: () => ({ kind: 'node', value }) }, null),
    orchestratorTask: (ctx, value) => ctx.orchestratorTask(value),
    hook: (ctx, value) => ctx.hook('h', value),
    breakpoint: (ctx, value) => ctx.breakpoint({ value }),
    child: (ctx, value) => ctx.child('p', value),
    subprocess: (ctx, value) => ctx.subprocess({ processPath: 'p', inputs: value }),
    effect: (ctx, value) => ctx.effect('task', { kind: 'node', taskId: 't', value }),
    log: (ctx, value) => ctx.log(value),
    halt: (ctx, value) => ctx.halt('over', { value }),
    continueAsNew: (ctx, value) => ctx.continueAsNew(value),
  };
  test.each(Object.entries(AROUND))('is an error in what is passed to %s', async (_, asked) => {
    for (const value of [self, { n: 1n }, [Number.NaN]]) {
      const run = async (ctx: ProcessContext) => (await asked(ctx, value as never)) as JsonValue;
      const driver = await RunDriver.start(definition(run, { onError: 'operator' }));
      expect(driver.state.processError).toMatchObject({ error: { code: 'process_invalid' } });
      expect(driver.state.processError?.error.message).toMatch(
        /^the .*(\.self|\.n|\[0\]) is .*, which JSON cannot carry$/,
      );
    }
  });

  test('fails the attempts of a step that returns it', async () => {
    const run = async (ctx: ProcessContext) => ctx.step('s', () => self as never, { maxAttempts: 1 });
    const driver = await RunDriver.start(definition(run));
    await driver.runSteps();
    expect(driver.state.end).toMatchObject({ status: 'failed', error: { code: 'process_invalid' } });
  });
});
