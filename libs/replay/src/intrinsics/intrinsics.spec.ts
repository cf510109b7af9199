import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { getActiveProcessContext, requireProcessContext } from '../context/process-storage.ts';
import { EffectError } from '../errors.ts';
import type { DefinedTask } from '../process-context.ts';
import { definition, draft, RunDriver } from '../testing/run-driver.ts';
import { slug } from './tasks.ts';

const build: DefinedTask<JsonValue> = {
  id: 'build',
  build: (args, { effectId }) => ({ kind: 'node', title: 'Build it', args, out: `tasks/${effectId}` }),
};
const shell: DefinedTask<JsonValue> = { id: 'sh', build: () => ({ kind: 'shell', shell: { command: 'ls' } }) };
const output = (driver: RunDriver) =>
  driver.state.end?.status === 'completed' ? driver.state.end.output : driver.state.end;

describe('task', () => {
  test('requests with its definition and resolves with the posted value', async () => {
    const driver = await RunDriver.start(definition((ctx) => ctx.task(build, { n: 1 })));
    const { effectId, request, kind } = driver.effect('task');
    expect(kind).toBe('task');
    expect(request).toMatchObject({
      kind: 'node',
      taskId: 'build',
      label: 'Build it',
      args: { n: 1 },
      definition: { out: `tasks/${effectId}` },
    });
    await driver.answer('task', { value: 42 });
    expect(output(driver)).toBe(42);
  });

  test('a result without a value is null', async () => {
    const driver = await RunDriver.start(definition((ctx) => ctx.task(build, null)));
    await driver.answer('task', null);
    expect(output(driver)).toBeNull();
  });

  test('a posted error rejects, except that of a shell task', async () => {
    const node = await RunDriver.start(definition((ctx) => ctx.task(build, null)));
    await node.fail('task', 'task_failed', 'no');
    expect(node.state.end).toMatchObject({ status: 'failed', error: { code: 'task_failed' } });
    const sh = await RunDriver.start(definition((ctx) => ctx.task(shell, null)));
    await sh.fail('task', 'task_failed', 'no');
    expect(output(sh)).toMatchObject({ success: false, exitCode: 1, stderr: 'no' });
  });

  test('equal calls are distinguished by a counter; calls with one key are one effect', async () => {
    const driver = await RunDriver.start(
      definition((ctx) =>
        ctx.parallel.all([
          () => ctx.task(build, { n: 1 }),
          () => ctx.task(build, { n: 2 }),
          () => ctx.task(build, { n: 3 }, { key: 'mine' }),
          () => ctx.task(build, { n: 3 }, { key: 'mine' }),
        ]),
      ),
    );
    const keys = driver.pending.map(({ key }) => key);
    expect(keys).toEqual([
      expect.stringMatching(/^task\.build\.default\.ba11ac12390a\.0$/),
      expect.stringMatching(/\.1$/),
      'task:mine',
    ]);
    for (const [i, effect] of driver.pending.entries())
      await driver.feed(
        draft('EFFECT_RESOLVED', { effectId: effect.effectId, attempt: 1, status: 'ok', value: { value: i } }),
      );
    expect(output(driver)).toEqual([0, 1, 2, 2]);
  });

  test('one key for two different calls is rejected', async () => {
    const driver = await RunDriver.start(
      definition((ctx) => ctx.parallel.map([1, 2], (n) => ctx.task(build, n, { key: 'mine' }))),
    );
    expect(driver.state.end).toMatchObject({ status: 'failed', error: { code: 'process_invalid' } });
  });

  test.each([
    [undefined],
    [{ id: ' ', build: () => ({ kind: 'x' }) }],
    [{ id: 'x' }],
    [{ id: 'x', build: () => ({}) }],
  ])('%p is not a task', async (task) => {
    const driver = await RunDriver.start(
      definition((ctx) => ctx.task(task as unknown as DefinedTask<JsonValue>, null)),
    );
    expect(driver.state.end).toMatchObject({ status: 'failed', error: { code: 'process_invalid' } });
  });

  test('an orchestrator task has its own kind of work', async () => {
    const driver = await RunDriver.start(definition((ctx) => ctx.orchestratorTask({ do: 'it' })));
    expect(driver.effect('task').request).toEqual({
      kind: 'orchestrator_task',
      taskId: '__sdk.orchestratorTask',
      label: 'orchestrator-task',
      args: { do: 'it' },
    });
    await driver.answer('task', { value: 'done' });
    expect(output(driver)).toBe('done');
  });

  test('a failed hook is reported as a result, or thrown if requested', async () => {
    const soft = await RunDriver.start(definition((ctx) => ctx.hook('on-x', { a: 1 })));
    expect(soft.effect('task').request).toMatchObject({
      kind: 'hook',
      args: { type: 'on-x', payload: { a: 1 }, timeout: 30000 },
    });
    await soft.fail('task');
    expect(output(soft)).toMatchObject({ hookType: 'on-x', success: false, error: 'it broke' });
    const hard = await RunDriver.start(definition((ctx) => ctx.hook('on-x', null, { throwOnFailure: true })));
    await hard.fail('task');
    expect(hard.state.end).toMatchObject({ status: 'failed', error: { code: 'broken' } });
  });
});

describe('breakpoint', () => {
  test('requests an approval and returns the answer', async () => {
    const driver = await RunDriver.start(
      definition((ctx) => ctx.breakpoint({ question: 'ship?' }, { label: 'Deploy to Prod!', tags: ['x'] })),
    );
    const { effectId, request } = driver.effect('breakpoint');
    expect(request).toEqual({
      approvalId: effectId,
      expiresAt: expect.stringMatching(/Z$/),
      subject: {
        kind: 'breakpoint',
        label: 'Deploy to Prod!',
        detail: { breakpointId: 'deploy-to-prod', payload: { question: 'ship?' }, tags: ['x'] },
      },
    });
    expect(driver.state.status).toBe('waiting');
    await driver.answer('breakpoint', { approved: false, feedback: 'not yet' });
    expect(output(driver)).toEqual({ approved: false, feedback: 'not yet' });
  });

  test('with the same name twice are two', async () => {
    const driver = await RunDriver.start(
      definition((ctx) => ctx.parallel.all([() => ctx.breakpoint({}), () => ctx.breakpoint({})])),
    );
    expect(driver.pending.map(({ key }) => key.split('.').at(-1))).toEqual(['0', '1']);
  });

  test('is approved automatically in a non-interactive run, in every replay', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => [
        await ctx.breakpoint({ label: 'ok?' }),
        await ctx.effect('task', { kind: 'node', taskId: 't' }),
      ]),
      null,
      { nonInteractive: true },
    );
    expect(driver.pending).toHaveLength(1);
    await driver.answer('task', 1);
    expect(output(driver)).toEqual([expect.objectContaining({ approved: true }), 1]);
  });

  test.each([
    ['Deploy to Prod!', 'deploy-to-prod'],
    ['deploy.prod', 'deploy.prod'],
    ['  ', 'breakpoint'],
    ['--a--b--', 'a--b'.replace('--', '-')],
  ])('%p is called %p', (label, id) => {
    expect(slug(label)).toBe(id);
  });
});

describe('waiting', () => {
  test('a time in the past requests no effect; a later one waits for its timer', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        await ctx.sleepUntil(ctx.now());
        await ctx.sleepUntil('2020-01-01T00:00:00Z');
        await ctx.sleepUntil(ctx.now().getTime() + 60_000);
        return ctx.now().toISOString();
      }),
    );
    expect(driver.effect('sleep').request).toEqual({ expiresAt: '2026-01-31T12:01:01.000Z' });
    expect(driver.state.status).toBe('waiting');
    await driver.answer('sleep', null);
    expect(output(driver)).toBe('2026-01-31T12:00:02.000Z');
  });

  test.each([['not a time'], [-1], [Number.NaN]])('%p is not a time', async (when) => {
    const driver = await RunDriver.start(definition(async (ctx) => void (await ctx.sleepUntil(when)) as never));
    expect(driver.state.end).toMatchObject({ status: 'failed', error: { code: 'process_invalid' } });
  });

  test('a signal resolves the effect that waits for it', async () => {
    const driver = await RunDriver.start(definition((ctx) => ctx.signal('go', { deadline: '2027-01-01T00:00:00Z' })));
    const { effectId, request } = driver.effect('signal');
    expect(request).toEqual({ name: 'go', expiresAt: '2027-01-01T00:00:00.000Z' });
    await driver.feed(
      draft('SIGNAL_RECEIVED', { name: 'go', payload: { n: 1 }, effectId }),
      driver.answered('signal', { n: 1 }),
    );
    expect(output(driver)).toEqual({ n: 1 });
  });

  test('early signals are buffered, in order and by name', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        await ctx.effect('task', { kind: 'node', taskId: 't' });
        return [await ctx.signal('a'), await ctx.signal('a'), await ctx.signal('b')];
      }),
    );
    for (const [name, payload] of [
      ['b', 3],
      ['a', 1],
      ['a', 2],
    ] as const)
      await driver.feed(draft('SIGNAL_RECEIVED', { name, payload }));
    await driver.answer('task', null);
    expect(output(driver)).toEqual([1, 2, 3]);
  });

  test('a signal that does not arrive in time rejects', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => (await ctx.signal('go').catch((error: EffectError) => error.code)) ?? null),
    );
    await driver.fail('signal', 'signal_timeout');
    expect(output(driver)).toBe('signal_timeout');
  });
});

describe('child runs', () => {
  test('have their own id, and return their output', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => [
        await ctx.child('p#main', { a: 1 }),
        await ctx.subprocess({ processPath: 'q.mjs', inputs: 2 }),
      ]),
    );
    const first = driver.effect('child');
    expect(first.request).toEqual({
      process: 'p#main',
      inputs: { a: 1 },
      childRequestId: first.effectId.replace('ef_', 'run_'),
    });
    await driver.answer('child', { output: 'x' });
    const second = driver.effect('child');
    await driver.answer('child', { output: 'y' });
    expect(output(driver)).toEqual(['x', { runId: second.request.childRequestId, output: 'y' }]);
  });
});

describe('step', () => {
  test('does its work once and not again in a replay', async () => {
    let done = 0;
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        const one = await ctx.step('one', () => {
          done += 1;
          return { n: done };
        });
        const two = await ctx.step('two', async () => `after ${one.n}`);
        await ctx.effect('task', { kind: 'node', taskId: 't' });
        return two;
      }),
    );
    await driver.runSteps();
    await driver.takeover();
    expect(driver.turn.steps).toEqual([]);
    await driver.answer('task', null);
    expect(output(driver)).toBe('after 1');
    expect(done).toBe(1);
  });

  test('without a result is due again after a takeover', async () => {
    const driver = await RunDriver.start(definition((ctx) => ctx.step('one', () => 1)));
    expect(driver.turn.steps).toMatchObject([{ name: 'one', attempt: 1 }]);
    await driver.takeover();
    expect(driver.turn.steps).toMatchObject([{ name: 'one', attempt: 1 }]);
    await driver.runSteps();
    expect(output(driver)).toBe(1);
  });

  test('is retried with increasing delays, across takeovers, and then fails', async () => {
    const driver = await RunDriver.start(
      definition((ctx) =>
        ctx.step(
          'flaky',
          () => {
            throw new Error('no luck');
          },
          { maxAttempts: 4, backoffMs: 100, maxBackoffMs: 250 },
        ),
      ),
    );
    const waits: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const [due] = driver.turn.steps as [(typeof driver.turn.steps)[number]];
      expect(due.attempt).toBe(i + 1);
      waits.push(due.notBefore - Date.parse(driver.entries.at(-1)?.recordedAt ?? ''));
      await driver.feed(await due.run());
      if (!driver.state.end) await driver.takeover();
    }
    expect(waits).toEqual([0, 100, 200, 250]);
    expect(driver.state.end).toMatchObject({ status: 'failed', error: { code: 'process_failed', message: 'no luck' } });
  });

  test('an attempt that takes too long fails', async () => {
    const driver = await RunDriver.start(
      definition((ctx) =>
        ctx.step('slow', () => new Promise<never>(() => undefined), { timeoutMs: 5, maxAttempts: 1 }),
      ),
    );
    await driver.runSteps();
    expect(driver.state.end).toMatchObject({
      status: 'failed',
      error: { code: 'process_timed_out', message: 'step slow took longer than 5 ms' },
    });
  });

  test('a result that JSON cannot carry is an error of the step, and is not retried', async () => {
    const driver = await RunDriver.start(
      definition((ctx) => ctx.step('odd', () => (() => 1) as unknown as JsonValue, { maxAttempts: 3 })),
    );
    await driver.runSteps();
    expect(driver.entries.filter(({ type }) => type === 'EFFECT_ATTEMPT_FAILED')).toEqual([]);
    expect(driver.state.end).toMatchObject({ status: 'failed', error: { code: 'process_invalid' } });
  });
});

describe('parallel', () => {
  const ask = (label: string) => (ctx: Parameters<Parameters<typeof definition>[0]>[0]) =>
    ctx.effect('task', { kind: 'node', taskId: 't' }, { label });

  test('runs no more than maxConcurrency at a time, keeps the order, and drops nothing', async () => {
    const driver = await RunDriver.start(
      definition((ctx) =>
        ctx.parallel.map(['a', 'b', 'c', 'd'], async (name, i) => [name, i, await ask(name)(ctx)] as JsonValue, {
          maxConcurrency: 2,
        }),
      ),
    );
    expect(driver.pending.map(({ label }) => label)).toEqual(['a', 'b']);
    await driver.answer('b', 2);
    expect(driver.pending.map(({ label }) => label)).toEqual(['a', 'c']);
    await driver.answer('a', 1);
    await driver.answer('c', null);
    await driver.answer('d', 4);
    expect(output(driver)).toEqual([
      ['a', 0, 1],
      ['b', 1, 2],
      ['c', 2, null],
      ['d', 3, 4],
    ]);
  });

  test('undefined results keep their place, no items give an empty array, and promises are accepted', async () => {
    const driver = await RunDriver.start(
      definition(
        async (ctx) =>
          [
            await ctx.parallel.all<unknown>([() => undefined, () => 2, Promise.resolve(3) as never], {
              maxConcurrency: 2,
            }),
            await ctx.parallel.all([]),
          ] as JsonValue,
      ),
    );
    expect(output(driver)).toEqual([[null, 2, 3], []]);
  });

  test('an item that is not a function is reported with its index', async () => {
    const driver = await RunDriver.start(definition((ctx) => ctx.parallel.all([() => 1, 7 as never])));
    expect(driver.state.end).toMatchObject({
      error: { message: expect.stringMatching(/item 1 is a .*neither a function nor a promise/) },
    });
  });

  test.each([[0], [1.5], [Number.NaN]])('%p is not a valid maxConcurrency', async (maxConcurrency) => {
    const driver = await RunDriver.start(definition((ctx) => ctx.parallel.all([() => 1, () => 2], { maxConcurrency })));
    expect(driver.state.end).toMatchObject({ status: 'failed' });
  });
});

describe('the active context', () => {
  test('follows every await, and runs do not see each other', async () => {
    const seen: boolean[] = [];
    const looks = definition(async (ctx) => {
      seen.push(requireProcessContext() === ctx);
      await ctx.effect('task', { kind: 'node', taskId: 't' });
      seen.push(requireProcessContext() === ctx);
      return null;
    });
    const [a, b] = [await RunDriver.start(looks), await RunDriver.start(looks)];
    await Promise.all([a.answer('task', 1), b.answer('task', 1)]);
    expect(new Set(seen)).toEqual(new Set([true]));
    expect(getActiveProcessContext()).toBeUndefined();
    expect(() => requireProcessContext()).toThrow(/no active process context/);
  });
});
