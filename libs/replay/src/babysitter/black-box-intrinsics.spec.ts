/** Compatibility tests: the behaviour that was observed of babysitter, except where it was wrong. */
import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { ProcessContext } from '../process-context.ts';
import { at, BabysitterFixture, error, first, node, ok, output, shell } from '../testing/babysitter-fixture.ts';
import { type BabysitterProcess, defineTask, isIntrinsic } from './index.ts';

describe('tasks', () => {
  test('a call is pending, and has its value after the post', async () => {
    const local = await new BabysitterFixture().create(
      async (inputs, ctx) => ({ doubled: ((await ctx.task(node, inputs)) as number) * 2 }),
      1,
    );
    expect(local.processState).toBe('waiting');
    await local.post(first(local), ok(5));
    expect(output(local)).toEqual({ doubled: 10 });
  });

  test('the posted error of a shell task is a result', async () => {
    const local = await new BabysitterFixture().create(async (_, ctx) => ctx.task(shell, null));
    await local.post(first(local), error('exit 1'));
    expect(output(local)).toMatchObject({ success: false });
  });

  test('a cancelled effect rejects with its reason, as an intrinsic error', async () => {
    const scene = new BabysitterFixture();
    const local = await scene.create(async (_, ctx) =>
      ctx
        .task(node, 1)
        .catch((thrown: Error & { reason: string }) => [thrown.name, thrown.reason, isIntrinsic(thrown)]),
    );
    await local.cancelEffect(first(local), 'not needed');
    expect(output(local)).toEqual(['EffectCancelledError', 'not needed', true]);
  });

  test('effects that are cancelled with their scope, or requested in a cancelled one, reject with an intrinsic error', async () => {
    const local = await new BabysitterFixture().create(async (_, ctx) =>
      ctx.scope(async (scope) => {
        const asked = [
          ctx.task(node, 1),
          ctx.signal('go'),
          ctx.sleepUntil('2027-01-01T00:00:00.000Z'),
          ctx.breakpoint({ question: '?' }),
        ];
        scope.cancel('one is enough');
        const settled = await Promise.allSettled([...asked, ctx.task(node, 2)]);
        return settled.map((each) => each.status === 'rejected' && isIntrinsic(each.reason));
      }),
    );
    expect(output(local)).toEqual([true, true, true, true, true]);
  });

  test.each<readonly [string, (ctx: ProcessContext) => Promise<JsonValue>]>([
    ['task', (ctx) => ctx.task(node, 1)],
    ['orchestratorTask', (ctx) => ctx.orchestratorTask('look')],
    ['breakpoint', (ctx) => ctx.breakpoint({ question: 'good?' })],
    ['signal', (ctx) => ctx.signal('go')],
  ])('an uncaught cancellation of %s fails the run, because the code is not wrong', async (_, asked) => {
    const scene = new BabysitterFixture();
    const process: BabysitterProcess = async (_, ctx) => asked(ctx);
    const local = await scene.create(process);
    await local.cancelEffect(first(local), 'not needed');
    const error = { code: 'effect_cancelled', message: 'cancelled: not needed' };
    expect(local.state.end).toMatchObject({ status: 'failed', error });
    expect((await scene.open(process)).divergence).toBeUndefined();
    expect((await scene.types()).at(-1)).toBe('RUN_FAILED');
  });

  test('an inserted task is reported as a divergence, and no task gets a wrong result', async () => {
    const scene = new BabysitterFixture();
    const before = await scene.create(async (_, ctx) => ctx.task(node, 1));
    await before.post(first(before), ok('one'));
    const other = defineTask('other', () => ({ kind: 'node' }));
    const after = await scene.open(async (_, ctx) => [await ctx.task(other, null), await ctx.task(node, 1)]);
    expect(after.processState).toBe('diverged');
    expect(after.divergence?.error.message).toMatch(/journal has task task\.step.*requested task task\.other/);
    expect((await scene.state()).end).toMatchObject({ status: 'completed', output: 'one' });
  });

  test('changed arguments of the same shape do not get the old result', async () => {
    const scene = new BabysitterFixture();
    const before = await scene.create(async (_, ctx) => [
      await ctx.task(node, { n: 1 }),
      await ctx.task(node, { last: true }),
    ]);
    await before.post(first(before), ok('for one'));
    const after = await scene.open(async (_, ctx) => [
      await ctx.task(node, { n: 2 }),
      await ctx.task(node, { last: true }),
    ]);
    expect(after.divergence?.error.message).toMatch(/different arguments, first at args\.n/);
    expect((await scene.state()).processError?.error.code).toBe('replay_nondeterminism');
  });

  test('calls with one key are one effect; three equal calls are three', async () => {
    const scene = new BabysitterFixture();
    const local = await scene.create(async (_, ctx) =>
      ctx.parallel.all([
        () => ctx.task(node, 1, { stableKey: 'k' } as never),
        () => ctx.task(node, 1, { key: 'k' }),
        () => ctx.task(node, 1),
        () => ctx.task(node, 1),
        () => ctx.task(node, 1),
      ]),
    );
    expect(local.pending.map(({ key }) => key.replace(/^.*\./, ''))).toEqual(['task:k', '0', '1', '2']);
  });

  test.each([[{ id: 'x' }], [7], [{ id: 'x', build: () => ({ title: 'no kind' }) }]])(
    '%j is not a task',
    async (task) => {
      const local = await new BabysitterFixture().create(async (_, ctx) => ctx.task(task as never, null));
      expect(local.processState).toBe('broken');
      expect(local.state.processError).toMatchObject({ error: { code: 'process_invalid' } });
    },
  );

  test('ids are trimmed, a blank one is rejected, and one id may be defined in two files', () => {
    expect(defineTask(' build ', () => ({ kind: 'node' })).id).toBe('build');
    expect(() => defineTask('  ', () => ({ kind: 'node' }))).toThrow(/non-empty/);
    expect(defineTask('build', () => ({ kind: 'node' })).id).toBe('build');
  });

  test('rejects a second post, and a post for an unknown effect', async () => {
    const local = await new BabysitterFixture().create(async (_, ctx) => [
      await ctx.task(node, 1),
      await ctx.task(node, 2),
    ]);
    const id = first(local);
    await local.post(id, ok(1));
    await expect(local.post(id, ok(2))).rejects.toMatchObject({
      code: 'effect_not_pending',
      message: expect.stringMatching(/already resolved/),
    });
    await expect(local.post('unknown', ok(2))).rejects.toMatchObject({ code: 'effect_not_pending' });
    await expect(local.cancelEffect(id)).rejects.toMatchObject({ code: 'effect_not_pending' });
  });

  test('a posted error has its name and data', async () => {
    const local = await new BabysitterFixture().create(async (_, ctx) =>
      ctx.task(node, 1).catch((thrown: Error & { data: JsonValue }) => [thrown.name, thrown.message, thrown.data]),
    );
    await local.post(first(local), error('flaky failed', 'BuildError', { exitCode: 2 }));
    expect(output(local)).toEqual(['BuildError', 'flaky failed', { exitCode: 2 }]);
  });
});

describe('intrinsics', () => {
  test('a sleep in the past requests no effect; a later one ends at its time, even if the clock was set back', async () => {
    const scene = new BabysitterFixture();
    const process: BabysitterProcess = async (_, ctx) => {
      await ctx.sleepUntil('2020-01-01T00:00:00Z');
      await ctx.sleepUntil('2026-01-01T01:00:00Z');
      return 'awake';
    };
    const local = await scene.create(process);
    expect(local.pending).toMatchObject([{ kind: 'sleep', request: { expiresAt: '2026-01-01T01:00:00.000Z' } }]);
    expect((await scene.open(process, at('2025-01-01T00:00:00Z'))).processState).toBe('waiting');
    expect(output(await scene.open(process, at('2026-01-01T01:00:00Z')))).toBe('awake');
    expect(output(await scene.open(process, at('2025-01-01T00:00:00Z')))).toBe('awake');
    expect((await scene.types()).filter((type) => type === 'RUN_COMPLETED')).toHaveLength(1);
  });

  test('a signal or an approval with a deadline is rejected when the deadline has passed', async () => {
    const scene = new BabysitterFixture();
    const until = '2026-01-01T01:00:00Z';
    const process: BabysitterProcess = async (_, ctx) => {
      const codes: string[] = [];
      const note = ({ code }: { code: string }) => void codes.push(code);
      await ctx.signal('go', { deadline: until }).catch(note);
      await ctx.breakpoint({}, { expiresAt: '2026-01-01T02:00:00Z' }).catch(note);
      return codes;
    };
    expect((await scene.create(process)).processState).toBe('waiting');
    expect((await scene.open(process, at('2026-01-01T00:59:59Z'))).pending).toMatchObject([{ kind: 'signal' }]);
    expect((await scene.open(process, at(until))).pending).toMatchObject([{ kind: 'breakpoint' }]);
    expect(output(await scene.open(process, at('2026-01-01T02:00:00Z')))).toEqual([
      'signal_timeout',
      'approval_expired',
    ]);
  });

  test('keeps the labels and the answers of breakpoints, also of two breakpoints with the default label', async () => {
    const local = await new BabysitterFixture().create(async (_, ctx) => [
      await ctx.breakpoint({ label: 'from payload' }, { label: 'from options' }),
      await ctx.breakpoint({ label: 'from payload' }),
      await ctx.breakpoint({}),
      await ctx.breakpoint({}),
    ]);
    const labels: (string | undefined)[] = [];
    while (local.pending.length > 0) {
      labels.push(local.pending[0]?.label);
      await local.post(first(local), ok({ approved: labels.length % 2 === 0, extra: labels.length }));
    }
    expect(labels).toEqual(['from options', 'from payload', 'breakpoint', 'breakpoint']);
    expect(output(local)).toEqual([1, 2, 3, 4].map((n) => ({ approved: n % 2 === 0, extra: n })));
  });

  test('in a non-interactive run a breakpoint is approved automatically, and that is logged', async () => {
    const scene = new BabysitterFixture();
    const local = await scene.create(async (_, ctx) => ctx.breakpoint({ label: 'Ship' }), null, {
      nonInteractive: true,
    });
    expect(output(local)).toMatchObject({ approved: true });
    expect(await scene.types()).toEqual(['RUN_CREATED', 'PROCESS_LOG', 'RUN_COMPLETED']);
  });

  test('parallel waits for all items, reports an invalid item by its index, and accepts promises', async () => {
    const local = await new BabysitterFixture().create(async (_, ctx) =>
      ctx.parallel.all([() => ctx.task(node, 1), ctx.task(node, 2) as never]),
    );
    expect(local.pending).toHaveLength(2);
    const wrong = await new BabysitterFixture().create(async (_, ctx) => ctx.parallel.all<JsonValue>([3 as never]));
    expect(wrong.state.processError?.error.message).toMatch(/item 0/);
  });

  test('logs a message once, also after a replay, and logs only strings', async () => {
    const scene = new BabysitterFixture();
    const process: BabysitterProcess = async (_, ctx) => {
      ctx.log('phase', 'one');
      ctx.log(7 as never);
      return ctx.task(node, 1);
    };
    await scene.create(process);
    await scene.open(process);
    await scene.open(process);
    expect(await scene.types()).toEqual(['RUN_CREATED', 'PROCESS_LOG', 'EFFECT_REQUESTED', 'PROCESS_CODE_CHANGED']);
  });
});
