import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import { EffectError } from '../errors.ts';
import type { ProcessContext } from '../process-context.ts';
import { created, definition, draft, RUN, RunDriver } from '../testing/run-driver.ts';
import { Coroutine } from './coroutine.ts';
import type { FedEntry } from './turn.ts';

const types = (driver: RunDriver) => driver.entries.map(({ type }) => type);
const ask = (ctx: ProcessContext, label: string, request = {}) =>
  ctx.effect('task', { kind: 'node', taskId: 't', ...request }, { label });

/** Counts the errors that are created from now on. Each captures a stack. @returns a function that stops and returns the count */
function countErrors(): () => number {
  const { Error: original } = globalThis;
  let count = 0;
  globalThis.Error = new Proxy(original, {
    construct: (target, args, newTarget) => {
      count += 1;
      return Reflect.construct(target, args, newTarget);
    },
  });
  return () => {
    globalThis.Error = original;
    return count;
  };
}

describe('a process between its entries', () => {
  test('requests, waits, continues with the answer and returns its output', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx, inputs) => {
        const one = await ask(ctx, 'one', { inputs });
        const two = await ask(ctx, 'two', { one });
        return { one, two };
      }),
      7,
    );
    expect(driver.turn.state).toBe('waiting');
    expect(driver.effect('one').request).toMatchObject({ inputs: 7 });
    await driver.answer('one', 'a');
    expect(driver.effect('two').request).toMatchObject({ one: 'a' });
    await driver.answer('two', 'b');
    expect(driver.turn.state).toBe('completed');
    expect(driver.state.end).toMatchObject({ status: 'completed', output: { one: 'a', two: 'b' } });
    expect(types(driver)).toEqual([
      'RUN_CREATED',
      'EFFECT_REQUESTED',
      'EFFECT_RESOLVED',
      'EFFECT_REQUESTED',
      'EFFECT_RESOLVED',
      'RUN_COMPLETED',
    ]);
  });

  test('an effect records where it was called only if its process names frames', async () => {
    const callOnce = definition(async (ctx) => ask(ctx, 'one'));
    const created = async (process: typeof callOnce): Promise<number> => {
      const errors = countErrors();
      await RunDriver.start(process);
      return errors();
    };
    expect(await created(callOnce)).toBe(0);
    expect(await created({ ...callOnce, framesOf: () => [] })).toBeGreaterThan(0);
  });

  test('no output is null, and what JSON cannot carry fails the run', async () => {
    const nothing = await RunDriver.start(definition(async () => undefined));
    expect(nothing.state.end).toMatchObject({ status: 'completed', output: null });
    const big = await RunDriver.start(definition(async () => 1n as unknown as JsonValue));
    expect(big.state.end).toMatchObject({ status: 'failed', error: { code: 'process_invalid' } });
  });

  test('an effect that failed rejects with its code, which ends the run unless it is caught', async () => {
    const caught = await RunDriver.start(
      definition(async (ctx) => {
        const error = await ask(ctx, 'one').catch((thrown: unknown) => thrown);
        return error instanceof EffectError ? { code: error.code, message: error.message } : 'no';
      }),
    );
    await caught.fail('one', 'model_invalid', 'no such model');
    expect(caught.state.end).toMatchObject({ output: { code: 'model_invalid', message: 'no such model' } });

    const uncaught = await RunDriver.start(definition(async (ctx) => ask(ctx, 'one')));
    await uncaught.fail('one', 'model_invalid', 'no such model');
    expect(uncaught.state.end).toMatchObject({
      status: 'failed',
      error: { code: 'model_invalid', message: 'no such model' },
    });
  });

  test('an error of the process fails the run, or waits for an operator if the process is defined so', async () => {
    const run = async () => {
      throw new TypeError('x is undefined');
    };
    const fails = await RunDriver.start(definition(run));
    expect(fails.state.end).toMatchObject({
      status: 'failed',
      error: { code: 'process_failed', message: 'x is undefined' },
    });
    const waits = await RunDriver.start(definition(run, { onError: 'operator' }));
    expect(waits.turn.state).toBe('broken');
    expect(waits.state).toMatchObject({ status: 'waiting', processError: { error: { code: 'process_failed' } } });
    expect(waits.state.end).toBeUndefined();
  });

  test('a fixed process continues where the broken one stopped', async () => {
    const broken = definition(
      async (ctx) => {
        await ask(ctx, 'one');
        throw new TypeError('oops');
      },
      { onError: 'operator' },
    );
    const driver = await RunDriver.start(broken);
    await driver.answer('one', 1);
    expect(driver.turn.state).toBe('broken');
    driver.commit([draft('PROCESS_CODE_CHANGED', { from: 'v1', to: 'v2' })]);
    await driver.takeover(definition(async (ctx) => [await ask(ctx, 'one'), await ask(ctx, 'two')]));
    await driver.answer('two', 2);
    expect(driver.state.end).toMatchObject({ output: [1, 2] });
  });

  test('the run waits for a process that does not await an effect', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        void ask(ctx, 'forgotten');
        return 'early';
      }),
    );
    expect(driver.turn.state).toBe('waiting');
    await driver.fail('forgotten');
    expect(driver.state.end).toMatchObject({ status: 'completed', output: 'early' });
  });

  test('a failure cancels what others work on', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => ctx.parallel.all([() => ask(ctx, 'a'), () => ask(ctx, 'b')])),
    );
    await driver.fail('a');
    expect(types(driver).slice(-2)).toEqual(['EFFECT_CANCELLED', 'RUN_FAILED']);
    expect(driver.pending).toEqual([]);
  });

  test('the first answer in the journal wins a race, in every replay', async () => {
    const racing = definition(async (ctx) => {
      const winner = await Promise.race([ask(ctx, 'a'), ask(ctx, 'b')]);
      return [winner, await ask(ctx, `after ${String(winner)}`)];
    });
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const driver = await RunDriver.start(racing);
      await driver.feed(...order.map((name) => driver.answered(name, name)));
      await driver.takeover();
      await driver.answer(`after ${order[0]}`, 'x');
      expect(driver.state.end).toMatchObject({ output: [order[0], 'x'] });
    }
  });

  test('changes of values by the process do not change what is recorded', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx, inputs) => {
        const request = { list: [1] };
        const asked = ask(ctx, 'one', request);
        request.list.push(2);
        (inputs as { n: number }).n = 9;
        const value = (await asked) as { n: number };
        value.n += 1;
        return value;
      }),
      { n: 1 },
    );
    expect(driver.effect('one').request).toMatchObject({ list: [1] });
    expect(driver.state.inputs).toEqual({ n: 1 });
    await driver.answer('one', { n: 1 });
    expect([...driver.state.effects.values()][0]?.result).toEqual({ status: 'ok', value: { n: 1 } });
    expect(driver.state.end).toMatchObject({ output: { n: 2 } });
  });

  test('late and unknown answers, and unrelated entries, are ignored', async () => {
    const driver = await RunDriver.start(definition(async (ctx) => ask(ctx, 'one')));
    const { effectId } = driver.effect('one');
    await driver.feed(
      draft('EFFECT_STARTED', { effectId, attempt: 1 }),
      draft('EFFECT_PROGRESS', { effectId, percent: 3 }),
    );
    expect(driver.turn).toEqual({ drafts: [], steps: [], state: 'waiting' });
    const late = driver.answered('one', 2);
    await driver.answer('one', 1);
    expect(driver.state.end).toMatchObject({ output: 1 });
    const { turn, coroutine } = await driver.replayed();
    expect(turn).toEqual({ drafts: [], steps: [], state: 'completed' });
    expect(await coroutine.advance([{ ...late, recordedAt: '2026-01-31T13:00:00Z' } as never])).toEqual({
      drafts: [],
      steps: [],
      state: 'completed',
    });
  });

  test('a value outside of the journal is loaded', async () => {
    const ref = { sha256: 'cd'.repeat(32), size: 9 };
    const driver = await RunDriver.start(
      definition(async (ctx) => ask(ctx, 'one')),
      null,
      { loadValue: async ({ sha256 }) => `large ${sha256.slice(0, 2)}` },
    );
    const { effectId } = driver.effect('one');
    await driver.feed(draft('EFFECT_RESOLVED', { effectId, attempt: 1, status: 'ok', valueRef: ref }));
    expect(driver.state.end).toMatchObject({ output: 'large cd' });
  });

  test('a bare run starts when it gets its process', async () => {
    const driver = await RunDriver.start({
      ...definition(async (ctx, inputs) => [inputs, await ask(ctx, 'one')]),
      id: 'bare-run',
    });
    expect(driver.pending).toEqual([]);
    await driver.feed(draft('SIGNAL_RECEIVED', { name: 'early', payload: 1 }));
    await driver.feed(draft('PROCESS_ASSIGNED', { process: { id: 'p#main', codeHash: 'x' }, inputs: 'now' }));
    await driver.answer('one', 1);
    expect(driver.state.end).toMatchObject({ output: ['now', 1] });
  });
});

describe('the end that a process chooses', () => {
  test('halting ends the run successfully, even if the exception is swallowed, and cancels the rest', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        void ask(ctx, 'side');
        try {
          ctx.halt('nothing to do', { seen: 3 });
        } catch {
          await ask(ctx, 'never');
        }
        return 'not this';
      }),
    );
    expect(driver.turn.state).toBe('halted');
    expect(types(driver)).toEqual(['RUN_CREATED', 'EFFECT_REQUESTED', 'EFFECT_CANCELLED', 'RUN_HALTED']);
    expect(driver.state.end).toMatchObject({ status: 'halted', reason: 'nothing to do', payload: { seen: 3 } });
  });

  test.each([[''], ['  '], [7]])('halting requires a reason: %p', async (reason) => {
    const driver = await RunDriver.start(definition(async (ctx) => ctx.halt(reason as string)));
    expect(driver.state.end).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(/reason/) } });
  });

  test.each([[['a']], [null], ['text']])(
    'the payload of a halt is an object: %j is refused, with the rule',
    async (payload) => {
      const driver = await RunDriver.start(definition(async (ctx) => ctx.halt('done', payload as never)));
      const message = expect.stringMatching(/must be an object of JSON values \(got .+\); wrap another value/);
      expect(driver.state.end).toMatchObject({ status: 'failed', error: { message } });
    },
  );

  test('a run that continues as new restarts, keeps early signals, and is replayed from there', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx, inputs) => {
        const n = inputs as number;
        await ask(ctx, 'work', { n });
        if (n === 2) return [await ctx.signal('go'), ctx.random()];
        return ctx.continueAsNew(n + 1);
      }),
      0,
    );
    await driver.feed(draft('SIGNAL_RECEIVED', { name: 'go', payload: 'early' }));
    await driver.answer('work', 'x');
    const second = driver.effect('work').effectId;
    await driver.answer('work', 'x');
    expect(driver.effect('work').effectId).not.toBe(second);
    expect(driver.effect('work').request).toMatchObject({ n: 2 });
    await driver.takeover();
    await driver.answer('work', 'x');
    expect(driver.state.end).toMatchObject({ status: 'completed', output: ['early', expect.any(Number)] });
    expect(types(driver).filter((type) => type === 'PROCESS_ASSIGNED')).toHaveLength(2);
  });
});

describe('a restart that a replay has to record', () => {
  /** The run had no owner when this was recorded, so the next replay decides what follows. */
  const later = (driver: RunDriver, ...drafts: EntryDraft[]) => {
    driver.passTime();
    driver.commit(drafts);
    driver.passTime();
  };

  test('has the time that every later replay gives it, even after a scope was cancelled', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx, inputs) => {
        if (inputs === 1) return [await ask(ctx, 'late', { at: ctx.now().toISOString() }), ctx.now().toISOString()];
        await ctx.scope(async (scope) => {
          void ask(ctx, 'slow');
          await ask(ctx, 'quick');
          scope.cancel('enough');
        });
        return ctx.continueAsNew(1);
      }),
      0,
    );
    later(driver, driver.answered('quick', null));
    const at = driver.entries.at(-1)?.recordedAt;
    await driver.takeover();
    expect(driver.effect('late').request).toMatchObject({ at });
    expect((await driver.replayed()).turn).toMatchObject({ state: 'waiting', drafts: [] });
    await driver.answer('late', 'x');
    expect(driver.state.end).toMatchObject({ output: ['x', driver.entries.at(-1)?.recordedAt] });
  });

  test('finds the signal that arrived while the run had no owner', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx, inputs) => {
        if (inputs === 1) return [await ctx.signal('go'), await ask(ctx, 'last')];
        await ask(ctx, 'work');
        return ctx.continueAsNew(1);
      }),
      0,
    );
    later(driver, driver.answered('work', null), draft('SIGNAL_RECEIVED', { name: 'go', payload: 7 }));
    await driver.takeover();
    await driver.answer('last', 'x');
    expect(driver.state.end).toMatchObject({ output: [7, 'x'] });
  });

  test('does not happen if the run was cancelled before', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        await ask(ctx, 'work');
        return ctx.continueAsNew(1);
      }),
    );
    later(driver, driver.answered('work', null), draft('RUN_CANCEL_REQUESTED', { idempotencyKey: 'c' }));
    expect(await driver.takeover()).toMatchObject({ state: 'cancelled', drafts: [] });
  });
});

test('feeding back the decisions of the process changes nothing', async () => {
  const restarting = definition(async (ctx, inputs) => {
    const n = inputs as number;
    await ctx.scope(async (scope) => {
      void ask(ctx, 'slow');
      await ask(ctx, 'quick', { n });
      scope.cancel('enough');
    });
    return n < 2 ? ctx.continueAsNew(n + 1) : ask(ctx, 'last');
  });
  const at = { recordedAt: '2026-01-31T12:00:00.000Z' };
  const coroutine = Coroutine.start(restarting, { run: RUN });
  let turn = await coroutine.advance([{ ...created('test', 1), ...at } as FedEntry]);
  const ids: string[] = [];
  for (let guard = 0; guard < 2; guard += 1) {
    expect((await coroutine.advance(turn.drafts.map((own) => ({ ...own, ...at }) as FedEntry))).drafts).toEqual([]);
    const [, quick] = turn.drafts.flatMap((own) => (own.type === 'EFFECT_REQUESTED' ? [own.data.effectId] : []));
    ids.push(quick as string);
    turn = await coroutine.advance([
      { ...draft('EFFECT_RESOLVED', { effectId: quick as string, attempt: 1, status: 'ok' }), ...at } as FedEntry,
    ]);
  }
  expect(new Set(ids).size).toBe(2);
  expect(turn.drafts.map(({ type }) => type)).toEqual(['EFFECT_CANCELLED', 'EFFECT_REQUESTED']);
});
