/** Black-box cases of babysitter's processes, by their numbers, with the outcome put right where the original's was observed to be wrong. */
import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { foldRun, type JournalStore, memoryStream, streamJournalStore } from '@reins/journal';
import { LocalRun } from '../local/local-run.ts';
import { assignProcess, haltRun } from '../local/operator.ts';
import type { ProcessContext } from '../process-context.ts';
import {
  type BabysitterProcess,
  babysitterProcess,
  defineTask,
  getActiveProcessContext,
  isIntrinsic,
  RunFailedError,
  requireProcessContext,
  withProcessContext,
} from './index.ts';

const node = defineTask<JsonValue>('step', (args) => ({ kind: 'node', title: 'Step', args }));
const shell = defineTask<JsonValue>('sh', () => ({ kind: 'shell', shell: { command: 'false' } }));
const at = (iso: string) => () => new Date(iso);
const NOW = at('2026-01-01T00:00:00.000Z');

class Scene {
  readonly store: JournalStore = streamJournalStore(memoryStream());
  readonly run = { workspaceId: 'local', runId: 'run-1' };

  create(
    process: BabysitterProcess,
    inputs: JsonValue = null,
    more: { nonInteractive?: boolean; bare?: boolean } = {},
  ): Promise<LocalRun> {
    const { bare = false, ...options } = more;
    const definition = babysitterProcess('p', 'v1', process);
    const created = bare ? { inputs, process: { id: 'bare-run', codeHash: 'none' } } : { inputs };
    return LocalRun.create({ store: this.store, run: this.run, definition, now: NOW, ...options }, created);
  }

  open(process: BabysitterProcess, now = NOW): Promise<LocalRun> {
    return LocalRun.open({ store: this.store, run: this.run, definition: babysitterProcess('p', 'v2', process), now });
  }

  async types(): Promise<string[]> {
    return (await this.store.load(this.run)).entries.map(({ type }) => type);
  }

  async state() {
    return foldRun(this.run, (await this.store.load(this.run)).entries);
  }
}

const output = ({ state }: LocalRun) => (state.end?.status === 'completed' ? state.end.output : state.end);
const first = (local: LocalRun) => local.pending[0]?.effectId as string;
const ok = (value: JsonValue) => ({ status: 'ok', value }) as const;
const error = (message: string, name = 'Error', data?: JsonValue) =>
  ({
    status: 'error',
    error: { code: 'task_failed', message },
    details: { name, message, ...(data !== undefined && { data }) },
  }) as const;

describe('tasks', () => {
  test('cases 28 and 68: a call waits, and after the post it has its value', async () => {
    const local = await new Scene().create(
      async (inputs, ctx) => ({ doubled: ((await ctx.task(node, inputs)) as number) * 2 }),
      1,
    );
    expect(local.standing).toBe('waiting');
    await local.post(first(local), ok(5));
    expect(output(local)).toEqual({ doubled: 10 });
  });

  test('case 32: the posted error of a shell task is a result', async () => {
    const local = await new Scene().create(async (_, ctx) => ctx.task(shell, null));
    await local.post(first(local), error('exit 1'));
    expect(output(local)).toMatchObject({ success: false });
  });

  test('case 33: a cancelled effect rejects with its reason, as an intrinsic error', async () => {
    const scene = new Scene();
    const local = await scene.create(async (_, ctx) =>
      ctx
        .task(node, 1)
        .catch((thrown: Error & { reason: string }) => [thrown.name, thrown.reason, isIntrinsic(thrown)]),
    );
    await local.cancelEffect(first(local), 'not needed');
    expect(output(local)).toEqual(['EffectCancelledError', 'not needed', true]);
  });

  test('case 34, put right: a task that was inserted before another one is told, and nobody gets a wrong result', async () => {
    const scene = new Scene();
    const before = await scene.create(async (_, ctx) => ctx.task(node, 1));
    await before.post(first(before), ok('one'));
    const other = defineTask('other', () => ({ kind: 'node' }));
    const after = await scene.open(async (_, ctx) => [await ctx.task(other, null), await ctx.task(node, 1)]);
    expect(after.standing).toBe('diverged');
    expect(after.divergence?.error.message).toMatch(/journal has task task\.step.*asked for task task\.other/);
    expect((await scene.state()).end).toMatchObject({ status: 'completed', output: 'one' });
  });

  test('case 35, put right: other values of the same shape do not get the old result', async () => {
    const scene = new Scene();
    const before = await scene.create(async (_, ctx) => [
      await ctx.task(node, { n: 1 }),
      await ctx.task(node, { last: true }),
    ]);
    await before.post(first(before), ok('for one'));
    const after = await scene.open(async (_, ctx) => [
      await ctx.task(node, { n: 2 }),
      await ctx.task(node, { last: true }),
    ]);
    expect(after.divergence?.error.message).toMatch(/other arguments, first at args\.n/);
    expect((await scene.state()).processError?.error.code).toBe('replay_nondeterminism');
  });

  test('cases 37 and 38: one key twice is one effect; three equal calls are three', async () => {
    const scene = new Scene();
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
    'case 42: %j is no task',
    async (task) => {
      const local = await new Scene().create(async (_, ctx) => ctx.task(task as never, null));
      expect(local.state.end).toMatchObject({ status: 'failed', error: { code: 'process_invalid' } });
    },
  );

  test('case 43: ids are trimmed, a blank one is refused, and one id may be defined in two files', () => {
    expect(defineTask(' build ', () => ({ kind: 'node' })).id).toBe('build');
    expect(() => defineTask('  ', () => ({ kind: 'node' }))).toThrow(/blank/);
    expect(defineTask('build', () => ({ kind: 'node' })).id).toBe('build');
  });

  test('cases 47 and 48: a second post, and one for an effect that does not exist', async () => {
    const local = await new Scene().create(async (_, ctx) => [await ctx.task(node, 1), await ctx.task(node, 2)]);
    const id = first(local);
    await local.post(id, ok(1));
    await expect(local.post(id, ok(2))).rejects.toMatchObject({
      code: 'effect_not_pending',
      message: expect.stringMatching(/resolved already/),
    });
    await expect(local.post('nobody', ok(2))).rejects.toMatchObject({ code: 'effect_not_pending' });
    await expect(local.cancelEffect(id)).rejects.toMatchObject({ code: 'effect_not_pending' });
  });

  test('a posted error has the name and the data that it was posted with', async () => {
    const local = await new Scene().create(async (_, ctx) =>
      ctx.task(node, 1).catch((thrown: Error & { data: JsonValue }) => [thrown.name, thrown.message, thrown.data]),
    );
    await local.post(first(local), error('flaky failed', 'BuildError', { exitCode: 2 }));
    expect(output(local)).toEqual(['BuildError', 'flaky failed', { exitCode: 2 }]);
  });
});

describe('intrinsics', () => {
  test('cases 55 and 56: a sleep that has passed leaves no effect; a later one ends with its time, and a clock set back wakes nobody', async () => {
    const scene = new Scene();
    const process: BabysitterProcess = async (_, ctx) => {
      await ctx.sleepUntil('2020-01-01T00:00:00Z');
      await ctx.sleepUntil('2026-01-01T01:00:00Z');
      return 'awake';
    };
    const local = await scene.create(process);
    expect(local.pending).toMatchObject([{ kind: 'sleep', request: { expiresAt: '2026-01-01T01:00:00.000Z' } }]);
    expect((await scene.open(process, at('2025-01-01T00:00:00Z'))).standing).toBe('waiting');
    expect(output(await scene.open(process, at('2026-01-01T01:00:00Z')))).toBe('awake');
    expect(output(await scene.open(process, at('2025-01-01T00:00:00Z')))).toBe('awake');
    expect((await scene.types()).filter((type) => type === 'RUN_COMPLETED')).toHaveLength(1);
  });

  test('who waits for a signal or an approval until a deadline is told when it has passed', async () => {
    const scene = new Scene();
    const until = '2026-01-01T01:00:00Z';
    const process: BabysitterProcess = async (_, ctx) => {
      const codes: string[] = [];
      const note = ({ code }: { code: string }) => void codes.push(code);
      await ctx.signal('go', { deadline: until }).catch(note);
      await ctx.breakpoint({}, { expiresAt: '2026-01-01T02:00:00Z' }).catch(note);
      return codes;
    };
    expect((await scene.create(process)).standing).toBe('waiting');
    expect((await scene.open(process, at('2026-01-01T00:59:59Z'))).pending).toMatchObject([{ kind: 'signal' }]);
    expect((await scene.open(process, at(until))).pending).toMatchObject([{ kind: 'breakpoint' }]);
    expect(output(await scene.open(process, at('2026-01-01T02:00:00Z')))).toEqual([
      'signal_timeout',
      'approval_expired',
    ]);
  });

  test('cases 57, 58 and 59: labels of breakpoints, answers unchanged, two default ones are two', async () => {
    const local = await new Scene().create(async (_, ctx) => [
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

  test('case 60: where nobody is there, a breakpoint is approved at once, with a line', async () => {
    const scene = new Scene();
    const local = await scene.create(async (_, ctx) => ctx.breakpoint({ label: 'Ship' }), null, {
      nonInteractive: true,
    });
    expect(output(local)).toMatchObject({ approved: true });
    expect(await scene.types()).toEqual(['RUN_CREATED', 'PROCESS_LOG', 'RUN_COMPLETED']);
  });

  test('cases 63 and 64: parallel waits for all; a number is named; promises work', async () => {
    const local = await new Scene().create(async (_, ctx) =>
      ctx.parallel.all([() => ctx.task(node, 1), ctx.task(node, 2) as never]),
    );
    expect(local.pending).toHaveLength(2);
    const wrong = await new Scene().create(async (_, ctx) => ctx.parallel.all<JsonValue>([3 as never]));
    expect(wrong.state.processError?.error.message).toMatch(/item 0/);
  });

  test('case 67: a line is written once, whatever is replayed; what is no text is not logged', async () => {
    const scene = new Scene();
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

describe('iterating', () => {
  const once = (ctx: ProcessContext) => ctx.task(node, 1);

  test('case 69: a completed run that is opened again has the same output, and has ended once', async () => {
    const scene = new Scene();
    const process: BabysitterProcess = async () => ({ n: 1 });
    await scene.create(process);
    expect(output(await scene.open(process))).toEqual({ n: 1 });
    expect(await scene.types()).toEqual(['RUN_CREATED', 'RUN_COMPLETED']);
  });

  test('case 70: a process that throws waits for its operator; a corrected one goes on', async () => {
    const scene = new Scene();
    const local = await scene.create(async (_, ctx) => {
      await once(ctx);
      throw new TypeError('cannot use X');
    });
    await local.post(first(local), ok(1));
    expect(local.standing).toBe('broken');
    expect(await scene.types()).toEqual([
      'RUN_CREATED',
      'EFFECT_REQUESTED',
      'EFFECT_RESOLVED',
      'PROCESS_RUNTIME_ERROR',
    ]);
    expect(output(await scene.open(async (_, ctx) => once(ctx)))).toBe(1);
  });

  test('case 71, put right: a task error that nobody catches fails the run, and it says so', async () => {
    const local = await new Scene().create(async (_, ctx) => once(ctx));
    await local.post(first(local), error('no', 'BuildError'));
    expect(local.state.end).toMatchObject({ status: 'failed', error: { code: 'task_failed', message: 'no' } });
  });

  test('RunFailedError fails the run for good', async () => {
    const local = await new Scene().create(async () => {
      throw new RunFailedError('over');
    });
    expect(local.state.end).toMatchObject({ status: 'failed', error: { message: 'over' } });
  });

  test('case 72: halting ends the run, with effects pending too, and again it is the same', async () => {
    const scene = new Scene();
    const process: BabysitterProcess = async (_, ctx) => {
      void once(ctx);
      return ctx.halt('enough', { n: 1 });
    };
    await scene.create(process);
    const again = await scene.open(process);
    expect(again.state.end).toMatchObject({ status: 'halted', reason: 'enough', payload: { n: 1 } });
    expect(again.pending).toEqual([]);
    expect((await scene.types()).filter((type) => type === 'RUN_HALTED')).toHaveLength(1);
  });

  test('case 73 and a swallowed signal: a task that is not awaited, or whose errors are all caught, is waited for on every iteration', async () => {
    const scene = new Scene();
    const process: BabysitterProcess = async (_, ctx) => {
      void once(ctx);
      try {
        await ctx.task(shell, null);
      } catch {
        return 'swallowed';
      }
      return 'done';
    };
    await scene.create(process);
    const again = await scene.open(process);
    expect(again.standing).toBe('waiting');
    expect(again.pending).toHaveLength(2);
    for (const { effectId } of again.pending) await again.post(effectId, ok(null));
    expect(output(again)).toBe('done');
  });

  test('case 74: cleanup runs at the end and not while waiting; its error hides nothing', async () => {
    const seen: string[] = [];
    const local = await new Scene().create(async (_, ctx) => {
      ctx.onCleanup(() => void seen.push('first'));
      ctx.onCleanup(() => {
        seen.push('second');
        throw new Error('in cleanup');
      });
      return once(ctx);
    });
    expect(seen).toEqual([]);
    await local.post(first(local), ok(3));
    expect(seen).toEqual(['second', 'first']);
    expect(output(local)).toBe(3);
  });

  test('case 75: the same clock and the same answers make the same journal', async () => {
    const journal = async () => {
      const scene = new Scene();
      const local = await scene.create(async (_, ctx) => [await once(ctx), ctx.random(), ctx.uuid()]);
      await local.post(first(local), ok(1));
      return (await scene.store.load(scene.run)).entries;
    };
    expect(await journal()).toEqual(await journal());
  });

  test('an output of undefined is null, and one that JSON cannot carry fails the run', async () => {
    expect(output(await new Scene().create(async () => undefined))).toBeNull();
    const odd = await new Scene().create(async () => 1n as never);
    expect(odd.state.end).toMatchObject({ status: 'failed', error: { code: 'process_invalid' } });
  });
});

describe('the active context', () => {
  test('case 66: runs beside each other see their own, a nested one gives the outer one back, and outside there is none', async () => {
    const seen = async (_: JsonValue, ctx: ProcessContext) => {
      const before = requireProcessContext().runId;
      await ctx.task(node, {});
      return [before, requireProcessContext().runId, getActiveProcessContext()?.runId ?? null];
    };
    const scenes = [new Scene(), new Scene()].map((scene, i) =>
      Object.assign(scene, { run: { workspaceId: 'local', runId: `run-${i}` } }),
    );
    const locals = await Promise.all(scenes.map((scene) => scene.create(seen)));
    await Promise.all(locals.map((local) => local.post(first(local), ok(1))));
    expect(locals.map(output)).toEqual([0, 1].map((i) => Array(3).fill(`run-${i}`)));
    const [outer, inner] = ['outer', 'inner'].map((runId) => ({ runId }) as ProcessContext);
    const nested = withProcessContext(outer as ProcessContext, () => [
      withProcessContext(inner as ProcessContext, () => requireProcessContext().runId),
      requireProcessContext().runId,
    ]);
    expect(nested).toEqual(['inner', 'outer']);
    expect(getActiveProcessContext()).toBeUndefined();
    expect(() => requireProcessContext()).toThrow('there is no active process context');
  });
});

describe('operators', () => {
  const process = { id: 'p.mjs#process', codeHash: 'v1' };
  const main: BabysitterProcess = async (inputs, ctx) => [inputs, await ctx.task(node, 1)];

  test('cases 76 and 79: a bare run waits for its process; a dry run changes nothing; inputs may come with it', async () => {
    const scene = new Scene();
    const bare = await scene.create(main, null, { bare: true });
    expect([bare.standing, bare.pending.length]).toEqual(['waiting', 0]);
    expect(await assignProcess({ ...scene, process, dryRun: true })).toHaveLength(1);
    expect(await scene.types()).toEqual(['RUN_CREATED']);
    await assignProcess({ ...scene, process, inputs: { n: 1 } });
    const local = await scene.open(main);
    await local.post(first(local), ok('x'));
    expect(output(local)).toEqual([{ n: 1 }, 'x']);
  });

  test('case 77: a run that has its process is given another one only by force, and then begins anew', async () => {
    const scene = new Scene();
    const before = await scene.create(main);
    await expect(assignProcess({ ...scene, process })).rejects.toMatchObject({ code: 'process_already_assigned' });
    await assignProcess({ ...scene, process, force: true });
    const after = await scene.open(main);
    expect(after.pending).toHaveLength(1);
    expect(first(after)).not.toBe(first(before));
  });

  test('cases 84 and 86: a run that is halted by hand, with effects pending, has ended', async () => {
    const scene = new Scene();
    await scene.create(main);
    expect(await haltRun({ ...scene, reason: 'enough', dryRun: true })).toHaveLength(2);
    await haltRun({ ...scene, reason: 'enough' });
    const local = await scene.open(main);
    expect(local.standing).toBe('halted');
    expect(local.pending).toEqual([]);
    await expect(haltRun({ ...scene, reason: 'again' })).rejects.toMatchObject({ code: 'request_ended' });
    const failed = new Scene();
    await failed.create(main);
    await haltRun({ ...failed, reason: 'x', error: { code: 'process_failed', message: 'by hand' } });
    expect((await failed.state()).end).toMatchObject({ status: 'failed', error: { message: 'by hand' } });
  });
});
