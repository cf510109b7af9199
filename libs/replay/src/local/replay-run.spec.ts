import { describe, expect, test } from '@jest/globals';
import { defined, type JsonValue } from '@reins/contracts';
import { type Entry, pendingEffects, type RunState } from '@reins/journal';
import { EffectError } from '../errors.ts';
import type { ProcessContext } from '../process-context.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { definition, draft, RUN, RunDriver } from '../testing/run-driver.ts';
import { replayEach, replayRun } from './replay-run.ts';

const ask = (ctx: ProcessContext, label: string, request = {}) =>
  ctx.effect('task', { kind: 'node', taskId: 't', ...request }, { label });
const replayed = (driver: { readonly entries: readonly Entry[] }, process: ProcessDefinition, everyStart = true) =>
  replayRun({ run: RUN, entries: driver.entries, definition: process, everyStart });

describe('a run that continued as new', () => {
  const rounds = (how: { readonly asks?: string; readonly next?: number } = {}, codeHash = 'v1') =>
    definition(
      async (ctx, inputs) => {
        const n = inputs as number;
        await ask(ctx, n === 0 ? (how.asks ?? 'first') : 'later', { n });
        return n < 2 ? ctx.continueAsNew(n === 0 ? (how.next ?? 1) : n + 1) : n;
      },
      { codeHash },
    );
  const recorded = async () => {
    const driver = await RunDriver.start(rounds(), 0);
    await driver.feed(draft('SIGNAL_RECEIVED', { name: 'early' }), driver.answered('first', 1));
    await driver.answer('later', 2);
    return driver;
  };

  test('is replayed from its first start, and all decisions are counted', async () => {
    const driver = await recorded();
    await driver.answer('later', 3);
    expect(await replayed(driver, rounds())).toMatchObject({ processState: 'completed', decisions: 6, unrecorded: [] });
    expect(await replayed(driver, rounds(), false)).toMatchObject({ processState: 'completed', decisions: 2 });
  });

  test.each([
    ['requested something else', { asks: 'other' }, 'EFFECT_REQUESTED', 1],
    ['restarted with other inputs', { next: 2 }, 'PROCESS_ASSIGNED', 2],
  ])('differs where an earlier start %s', async (_, how, type, decisions) => {
    const driver = await recorded();
    const { divergence, ...replay } = await replayed(driver, rounds(how));
    expect(replay).toMatchObject({ processState: 'diverged', decisions });
    expect(divergence?.expected).toMatchObject({ type });
    expect((await replayed(driver, rounds(how), false)).divergence).toBeUndefined();
  });

  test('is not compared with what it did under other code before it restarted', async () => {
    const driver = await RunDriver.start(rounds(), 0);
    await driver.answer('first', 1);
    driver.commit([draft('PROCESS_CODE_CHANGED', { from: 'v1', to: 'v2' })]);
    const other = rounds({ asks: 'other' }, 'v2');
    await driver.takeover(other);
    await driver.answer('later', 2);
    expect(await replayed(driver, other)).toMatchObject({ processState: 'waiting', decisions: 3 });
  });
});

describe('an end', () => {
  const ends = (end: (ctx: ProcessContext) => Promise<JsonValue>) =>
    definition(async (ctx) => {
      await ask(ctx, 'one');
      return end(ctx);
    });
  const failing = (message = 'no', code = 'broken') =>
    ends(async () => {
      throw new EffectError({ code, message }, { effectId: 'e' });
    });
  const halting = (reason: string, payload?: { a: number }) => ends(async (ctx) => ctx.halt(reason, payload));

  test.each([
    ['the reason of a halt', halting('one', { a: 1 }), halting('two', { a: 1 })],
    ['the payload of a halt', halting('one', { a: 1 }), halting('one')],
    ['the message of a failure', failing(), failing('nope')],
    ['the code of a failure', failing(), failing('no', 'other')],
    ['a failure that no longer occurs', failing(), ends(async () => 42)],
    ['a failure, and code that continues', failing(), ends((ctx) => ask(ctx, 'more'))],
    ['a failure, and code that requests nothing', failing(), ends(() => new Promise(() => undefined))],
    ['a halt, and code that returns', halting('one'), ends(async () => 42)],
  ])('is compared: %s', async (_, code, other) => {
    const driver = await RunDriver.start(code);
    await driver.answer('one', 1);
    expect(await replayed(driver, code)).toMatchObject({ processState: driver.state.end?.status, decisions: 2 });
    expect(await replayed(driver, other)).toMatchObject({ processState: 'diverged', decisions: 2 });
  });

  test.each([
    [
      'an output',
      ends(async () => ({ a: [1, 'x'] })),
      ends(async () => ({ a: [1, 'y'] })),
      'RUN_COMPLETED (entry 4); the process reached RUN_COMPLETED with a different output, first at a[1] ("x" in the journal, "y" now)',
    ],
    [
      'a reason',
      halting('one'),
      halting('two'),
      'RUN_HALTED (entry 4); the process reached RUN_HALTED with a different reason ("one" in the journal, "two" now)',
    ],
    [
      'a missing payload',
      halting('one', { a: 1 }),
      halting('one'),
      'RUN_HALTED (entry 4); the process reached RUN_HALTED with a different payload ({"a":1} in the journal, nothing now)',
    ],
    [
      'a failure',
      failing(),
      failing('nope'),
      'RUN_FAILED (entry 4); the process reached RUN_FAILED with a different error message ("no" in the journal, "nope" now)',
    ],
    [
      'a long value',
      ends(async () => 'x'.repeat(200)),
      halting('one'),
      `RUN_COMPLETED (entry 4): "${'x'.repeat(79)}…; the process reached RUN_HALTED: "one"`,
    ],
  ])('that differs is described: %s', async (_, code, other, text) => {
    const driver = await RunDriver.start(code);
    await driver.answer('one', 1);
    const { divergence } = await replayed(driver, other);
    expect(divergence?.error.message).toBe(`the journal has ${text}`);
  });

  const stopped = (driver: RunDriver, reason?: string) =>
    pendingEffects(driver.state).map(({ effectId, attempt }) =>
      draft('EFFECT_CANCELLED', { effectId, attempt, confirmed: false, ...defined({ reason }) }),
    );
  const failed = draft('RUN_FAILED', { error: { code: 'process_missing', message: 'no operator helped' } });

  test.each([
    ['an operator halted it', (driver: RunDriver) => [...stopped(driver, 'x'), draft('RUN_HALTED', { reason: 'x' })]],
    ['it was halted on the bus', (driver: RunDriver) => [...stopped(driver), draft('RUN_HALTED', {})]],
    [
      'it was halted while it was paused and an answer had come',
      (driver: RunDriver) => [
        draft('RUN_PAUSED', { idempotencyKey: 'p' }),
        driver.answered('one', 1),
        draft('RUN_HALTED', {}),
      ],
    ],
    [
      'no operator helped',
      () => [
        draft('PROCESS_RUNTIME_ERROR', { error: { code: 'a', message: 'b' }, expiresAt: '2027-01-01T00:00:00Z' }),
        failed,
      ],
    ],
  ])('that the process did not decide is not compared: %s', async (_, end) => {
    const driver = await RunDriver.start(halting('one'));
    driver.commit(end(driver));
    expect(await replayed(driver, halting('one'))).toMatchObject({
      processState: driver.state.end?.status,
      decisions: 1,
      unrecorded: [],
    });
  });
});

test('each process that a run had is replayed, if it is available', async () => {
  const [one, two] = ['one', 'two'].map((id) => definition(async (ctx) => ask(ctx, id), { id }));
  const driver = await RunDriver.start(one as ProcessDefinition);
  const cancelled = driver.pending.map(({ effectId, attempt }) =>
    draft('EFFECT_CANCELLED', { effectId, attempt, confirmed: false }),
  );
  const [previous, process] = ['one', 'two'].map((id) => ({ id, codeHash: 'v1' })) as [
    RunState['process'],
    RunState['process'],
  ];
  driver.commit([...cancelled, draft('PROCESS_ASSIGNED', { process, previous, inputs: null, force: true })]);
  await driver.takeover(two as ProcessDefinition);
  const each = (before: ProcessDefinition | undefined) =>
    replayEach(
      { run: RUN, entries: driver.entries, definition: two as ProcessDefinition, everyStart: true },
      async () => before,
    );
  expect(await each(one)).toMatchObject({ processState: 'waiting', decisions: 2 });
  expect(await each(undefined)).toMatchObject({ processState: 'waiting', decisions: 1 });
  expect(await each(two)).toMatchObject({ processState: 'diverged', decisions: 1 });
});

describe('an end that the process decided', () => {
  const raced = (output: string) =>
    definition(async (ctx) => {
      await ctx.scope(async (scope) => {
        void ask(ctx, 'slow');
        await ask(ctx, 'quick');
        scope.cancel('quick was enough');
      });
      return output;
    });

  test('is compared where it cancelled work before', async () => {
    const driver = await RunDriver.start(raced('one'));
    await driver.answer('quick', 1);
    expect(await replayed(driver, raced('one'))).toMatchObject({ processState: 'completed' });
    expect((await replayed(driver, raced('two'))).divergence).toBeDefined();
  });

  test('is compared whatever labels the process uses', async () => {
    const says = (output: string) =>
      definition(async (ctx) => {
        ctx.log('run:halt', { reason: 'none' });
        return output;
      });
    const driver = await RunDriver.start(says('one'));
    expect((await replayed(driver, says('two'))).divergence).toBeDefined();
  });
});
