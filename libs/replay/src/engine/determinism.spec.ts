import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@reins/contracts';
import fc from 'fast-check';
import type { ProcessContext } from '../process-context.ts';
import { definition, draft, RunDriver } from '../testing/run-driver.ts';

const ask = (ctx: ProcessContext, label: string, request: JsonObject = {}) =>
  ctx.effect('task', { kind: 'node', taskId: 't', ...request }, { label });
const process = (...labels: string[]) =>
  definition(async (ctx) => {
    const answers: JsonValue[] = [];
    for (const label of labels) answers.push(await ask(ctx, label, { n: 1 }));
    return answers;
  });

/** A journal with [one, two] answered and `three` pending, replayed with other code. */
async function changed(code: ReturnType<typeof definition>) {
  const driver = await RunDriver.start(process('one', 'two', 'three'));
  await driver.answer('one', 1);
  await driver.answer('two', 2);
  const turn = await driver.takeover(code);
  return { driver, turn };
}

describe('a process that diverges from its journal', () => {
  const effectKey = (label: string) =>
    expect.objectContaining({ key: expect.stringMatching(new RegExp(`^task\\.default\\.${label}\\.`)) });

  test.each([
    ['missing', process('one', 'three'), 'two', 'three'],
    ['extra', process('one', 'more', 'two', 'three'), 'two', 'more'],
    ['reordered', process('two', 'one', 'three'), 'one', 'two'],
  ])('%s: the first difference is reported, expected and actual', async (_, code, expected, actual) => {
    const { driver, turn } = await changed(code);
    expect(turn.state).toBe('diverged');
    expect(turn.steps).toEqual([]);
    expect(turn.divergence).toMatchObject({ expected: effectKey(expected), actual: effectKey(actual) });
    expect(turn.drafts).toMatchObject([
      {
        type: 'PROCESS_RUNTIME_ERROR',
        data: {
          error: { code: 'replay_nondeterminism', path: turn.divergence?.effectId },
          expected: effectKey(expected),
          actual: effectKey(actual),
        },
      },
    ]);
    expect(driver.state).toMatchObject({
      status: 'waiting',
      processError: { error: { code: 'replay_nondeterminism' } },
    });
  });

  test('changed arguments of the same shape are detected, with their place', async () => {
    const code = definition(async (ctx) => ask(ctx, 'one', { n: 2 }));
    const { turn } = await changed(code);
    expect(turn.divergence?.error.message).toMatch(
      /entry 2.*with different arguments, first at n \(1 in the journal, 2 now\)$/,
    );
  });

  test('a process that ends or waits where the journal continues is detected', async () => {
    const ends = await changed(process('one'));
    expect(ends.turn.divergence).toMatchObject({ expected: effectKey('two'), actual: { type: 'RUN_COMPLETED' } });
    const waiting = await changed(
      definition(async (ctx) => {
        await ask(ctx, 'one', { n: 1 });
        return new Promise<never>(() => undefined);
      }),
    );
    expect(waiting.turn.divergence).toMatchObject({ expected: effectKey('two'), actual: null });
    expect(waiting.turn.divergence?.error.message).toMatch(/requested nothing/);
  });

  test('a different output is detected', async () => {
    const driver = await RunDriver.start(definition(async () => 1));
    const { turn } = await driver.replayed(definition(async () => 2));
    expect(turn.divergence).toMatchObject({ expected: { output: 1 }, actual: { output: 2 } });
  });

  test('records it once, starts the grace period now, and continues when the code is restored', async () => {
    const { driver } = await changed(process('one', 'three'));
    const again = await driver.takeover(process('one', 'three'));
    expect(again).toMatchObject({ state: 'diverged', drafts: [] });
    const other = await driver.replayed(process('two'));
    expect(other.turn.drafts).toHaveLength(1);
    await driver.takeover(process('one', 'two', 'three'));
    await driver.answer('three', 3);
    expect(driver.state.end).toMatchObject({ output: [1, 2, 3] });
  });

  test('does nothing more until it is replayed', async () => {
    const { driver } = await changed(process('one', 'three'));
    const { coroutine } = await driver.replayed(process('one', 'three'));
    const answer = { ...driver.answered('three', 3), recordedAt: '2026-01-31T13:00:00Z' } as never;
    expect(await coroutine.advance([answer])).toEqual({ drafts: [], steps: [], state: 'diverged' });
  });
});

describe('compatible changes', () => {
  test('log messages may change', async () => {
    const logging = (text: string) =>
      definition(async (ctx) => {
        if (text) ctx.log(text);
        return [await ask(ctx, 'one'), await ask(ctx, 'two')];
      });
    for (const [before, after] of [
      ['a', 'b'],
      ['a', ''],
      ['', 'b'],
    ] as const) {
      const driver = await RunDriver.start(logging(before));
      await driver.answer('one', 1);
      await driver.takeover(logging(after));
      await driver.answer('two', 2);
      expect(driver.state.end).toMatchObject({ output: [1, 2] });
    }
  });

  test('a patched place keeps the old path in runs that passed it, and the new path is recorded in others', async () => {
    const before = definition(async (ctx) => [await ask(ctx, 'one'), await ask(ctx, 'old'), await ask(ctx, 'end')]);
    const after = definition(async (ctx) => {
      const one = await ask(ctx, 'one');
      const two = ctx.patched('use-new') ? await ask(ctx, 'new') : await ask(ctx, 'old');
      return [one, two, ctx.patched('use-new'), await ask(ctx, 'end')];
    });
    const old = await RunDriver.start(before);
    await old.answer('one', 1);
    await old.takeover(after);
    await old.answer('old', 2);
    await old.answer('end', 3);
    expect(old.state.end).toMatchObject({ output: [1, 2, false, 3] });

    const young = await RunDriver.start(before);
    await young.takeover(after);
    await young.answer('one', 1);
    await young.takeover(after);
    await young.answer('new', 2);
    await young.answer('end', 3);
    expect(young.state.end).toMatchObject({ output: [1, 2, true, 3] });
  });

  test('a place is passed for the first time, whatever was answered while the run had no owner', async () => {
    const process = definition((ctx) =>
      Promise.all([
        ask(ctx, 'a').then(() => ctx.patched('new')),
        ...['b', 'c'].map((label) => ask(ctx, label)),
        ask(ctx, 'd').catch((error: Error) => error.name),
      ]),
    );
    const driver = await RunDriver.start(process);
    driver.commit([driver.answered('a', 1)]);
    driver.commit([driver.answered('b', 2), draft('RUN_PAUSED', { idempotencyKey: 'p' })]);
    const { effectId } = driver.effect('d');
    driver.commit([draft('EFFECT_CANCELLED', { effectId, attempt: 1, confirmed: false })]);
    driver.commit([draft('RUN_RESUMED', { idempotencyKey: 'r' })]);
    const turn = await driver.takeover(process);
    expect(turn.drafts).toMatchObject([{ type: 'PROCESS_LOG', data: { message: 'new' } }]);
    await driver.takeover(process);
    await driver.answer('c', 3);
    expect(driver.state.end).toMatchObject({ output: [true, 2, 3, 'CancelledError'] });
  });

  test('a place keeps the new path after an error that was recorded from outside, when the run first passed it', async () => {
    const process = definition(async (ctx) => {
      await ask(ctx, 'one');
      ctx.log('passing');
      return ctx.patched('use-new') ? ask(ctx, 'new') : ask(ctx, 'old');
    });
    const driver = await RunDriver.start(process);
    const lostChild = { code: 'process_crashed', message: 'the child ended' };
    driver.commit([
      driver.answered('one', 1),
      draft('PROCESS_RUNTIME_ERROR', { error: lostChild, expiresAt: '2026-01-02T00:00:00.000Z' }),
    ]);
    const turn = await driver.takeover(process);
    expect(turn.drafts.map(({ type }) => type)).toEqual(['PROCESS_LOG', 'PROCESS_LOG', 'EFFECT_REQUESTED']);
    expect((await driver.takeover(process)).state).toBe('waiting');
    await driver.answer('new', 2);
    expect(driver.state.end).toMatchObject({ output: 2 });
  });

  test('a place keeps the old path if the run decided something after it, even after further answers', async () => {
    const [before, after] = [false, true].map((isNew) =>
      definition(async (ctx) => {
        const way = ask(ctx, 'a').then(() => (isNew && ctx.patched('new') ? 'new' : 'old'));
        return Promise.all([way, ask(ctx, 'b').then(() => ask(ctx, 'then')), ask(ctx, 'c')]);
      }),
    ) as [ReturnType<typeof definition>, ReturnType<typeof definition>];
    const driver = await RunDriver.start(before);
    driver.commit([driver.answered('a', 1)]);
    driver.commit([driver.answered('b', 2)]);
    await driver.takeover(before);
    driver.commit([driver.answered('c', 3)]);
    await driver.takeover(after);
    await driver.answer('then', 4);
    expect(driver.state.end).toMatchObject({ output: ['old', 4, 3] });
  });

  test('a restart passes a patched place for the first time again, also after a takeover', async () => {
    const rounds = definition(async (ctx, inputs) => {
      const isNew = ctx.patched('p');
      await ask(ctx, isNew ? 'new' : 'old');
      return inputs === 2 ? isNew : ctx.continueAsNew((inputs as number) + 1);
    });
    const driver = await RunDriver.start(rounds, 1);
    await driver.answer('new', 1);
    await driver.takeover(rounds);
    await driver.answer('new', 2);
    expect(driver.state.end).toMatchObject({ output: true });

    const before = definition(async (ctx) => ask(ctx, 'old'));
    const old = await RunDriver.start(before, 1);
    await old.takeover(rounds);
    await old.answer('old', 1);
    expect(old.effect('new')).toBeDefined();
  });

  test('the mark of a patch may stay after the old path was removed', async () => {
    const both = definition(async (ctx) => (ctx.patched('p') ? ask(ctx, 'new') : ask(ctx, 'old')));
    const driver = await RunDriver.start(both);
    await driver.takeover(definition(async (ctx) => ask(ctx, 'new')));
    await driver.answer('new', 1);
    expect(driver.state.end).toMatchObject({ output: 1 });
  });
});

describe('what a process observes', () => {
  test('the time is that of the entry it reacts to, and does not advance while it runs', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        const times = [ctx.now(), ctx.now()];
        await ask(ctx, 'one');
        times.push(ctx.now());
        return times.map((time) => time.toISOString());
      }),
    );
    await driver.answer('one', 1);
    const [created, , resolved] = driver.entries;
    expect(driver.state.end).toMatchObject({
      output: [created?.recordedAt, created?.recordedAt, resolved?.recordedAt],
    });
  });

  test('random numbers are the same in every replay and different in every run', async () => {
    const drawn: JsonValue[][] = [];
    const draws = definition(async (ctx) => {
      const values = [ctx.random(), ctx.random(), ctx.uuid(), ctx.uuid()];
      drawn.push(values);
      await ask(ctx, 'one');
      return null;
    });
    const driver = await RunDriver.start(draws);
    await driver.takeover();
    expect(new Set(drawn.map((values) => JSON.stringify(values))).size).toBe(1);
    const [values] = drawn as [[number, number, string, string]];
    expect(new Set(values).size).toBe(4);
    for (const n of values.slice(0, 2)) expect(n).toBeGreaterThanOrEqual(0);
    for (const n of values.slice(0, 2)) expect(n).toBeLessThan(1);
    expect(values[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

/** A random program: what to request, in sequence or in parallel, and when to log or to draw a number. */
type Program = ({ ask: string } | { all: Program[] } | { race: Program[] } | { note: number })[];

const program: fc.Arbitrary<Program> = fc.letrec<{ program: Program }>((tie) => ({
  program: fc.array(
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom('a', 'b', 'c').map((name) => ({ ask: name })),
      fc.nat(9).map((note) => ({ note })),
      fc.array(tie('program'), { maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie('program'), { minLength: 1, maxLength: 3 }).map((race) => ({ race })),
    ),
    { maxLength: 4 },
  ),
})).program;

async function interpret(ctx: ProcessContext, steps: Program): Promise<JsonValue> {
  const results: JsonValue[] = [];
  for (const step of steps) {
    if ('ask' in step)
      results.push(await ask(ctx, step.ask, { drawn: ctx.random() }).catch((error: Error) => error.message));
    else if ('note' in step) ctx.log('note', [step.note, ctx.now().toISOString()]);
    else if ('all' in step) results.push(await Promise.all(step.all.map((branch) => interpret(ctx, branch))));
    else results.push(await Promise.race(step.race.map((branch) => interpret(ctx, branch))));
  }
  return results;
}

describe('any process', () => {
  test('answered in any order, alone or together, replays to the same state after every commit', async () => {
    await fc.assert(
      fc.asyncProperty(
        program,
        fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.boolean()), { minLength: 25, maxLength: 25 }),
        async (steps, choices) => {
          const driver = await RunDriver.start(definition((ctx) => interpret(ctx, steps)));
          for (const [choice, ok, together] of choices) {
            const { pending } = driver;
            const first = pending[choice % pending.length];
            if (!first) break;
            const second = together ? pending[(choice + 1) % pending.length] : undefined;
            const answered = [first, ...(second && second !== first ? [second] : [])];
            await driver.feed(...answered.map(({ effectId, attempt }) => outcome(effectId, attempt, ok)));
            if (choice % 3 === 0) await driver.takeover();
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

const outcome = (effectId: string, attempt: number, ok: boolean) =>
  ok
    ? draft('EFFECT_RESOLVED', { effectId, attempt, status: 'ok', value: { value: effectId } })
    : draft('EFFECT_RESOLVED', { effectId, attempt, status: 'error', error: { code: 'broken', message: effectId } });
