/** Compatibility tests: the behaviour that was observed of babysitter, except where it was wrong. */
import { describe, expect, test } from '@jest/globals';
import { LocalRun } from '../local/local-run.ts';
import { assignProcess, haltRun } from '../local/operator.ts';
import type { ProcessContext } from '../process-context.ts';
import { BabysitterFixture, error, first, node, ok, output, shell } from '../testing/babysitter-fixture.ts';
import {
  type BabysitterProcess,
  babysitterProcess,
  getActiveProcessContext,
  RunFailedError,
  requireProcessContext,
  withProcessContext,
} from './index.ts';

describe('iterating', () => {
  const once = (ctx: ProcessContext) => ctx.task(node, 1);

  test('a completed run that is opened again has the same output and one end event', async () => {
    const scene = new BabysitterFixture();
    const process: BabysitterProcess = async () => ({ n: 1 });
    await scene.create(process);
    expect(output(await scene.open(process))).toEqual({ n: 1 });
    expect(await scene.types()).toEqual(['RUN_CREATED', 'RUN_COMPLETED']);
  });

  test('a process that throws waits for an operator, and continues when it is fixed', async () => {
    const scene = new BabysitterFixture();
    const local = await scene.create(async (_, ctx) => {
      await once(ctx);
      throw new TypeError('cannot use X');
    });
    await local.post(first(local), ok(1));
    expect(local.processState).toBe('broken');
    expect(await scene.types()).toEqual([
      'RUN_CREATED',
      'EFFECT_REQUESTED',
      'EFFECT_RESOLVED',
      'PROCESS_RUNTIME_ERROR',
    ]);
    expect(output(await scene.open(async (_, ctx) => once(ctx)))).toBe(1);
  });

  test('an uncaught task error fails the run with that error', async () => {
    const local = await new BabysitterFixture().create(async (_, ctx) => once(ctx));
    await local.post(first(local), error('no', 'BuildError'));
    expect(local.state.end).toMatchObject({ status: 'failed', error: { code: 'task_failed', message: 'no' } });
  });

  test('RunFailedError fails the run permanently', async () => {
    const local = await new BabysitterFixture().create(async () => {
      throw new RunFailedError('over');
    });
    expect(local.state.end).toMatchObject({ status: 'failed', error: { message: 'over' } });
  });

  test('halting ends the run, even with pending effects, and so does a replay', async () => {
    const scene = new BabysitterFixture();
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

  test.each([
    [{ halt: true, reason: ' no disk ', n: 1 }, 'no disk'],
    [{ halt: true, phase: 'planning' }, 'planning'],
    [{ halt: true, reason: ' ', phase: 'planning' }, 'legacy-halt'],
    [{ halt: true }, 'legacy-halt'],
  ])('a returned %j halts the run, with a warning', async (returned, reason) => {
    const scene = new BabysitterFixture();
    const process: BabysitterProcess = async () => returned;
    await scene.create(process);
    const again = await scene.open(process);
    expect(again.divergence).toBeUndefined();
    expect(again.state.end).toMatchObject({ status: 'halted', reason, payload: returned });
    expect(await scene.types()).toEqual(['RUN_CREATED', 'PROCESS_LOG', 'RUN_HALTED']);
    const [, warning] = (await scene.store.load(scene.run)).entries;
    expect(warning?.data).toMatchObject({ label: 'warning', message: expect.stringContaining('ctx.halt') });
  });

  test('a returned halt takes effect once an effect that was not awaited is answered', async () => {
    const local = await new BabysitterFixture().create(async (_, ctx) => {
      void once(ctx);
      return { halt: true };
    });
    expect(local.processState).toBe('waiting');
    await local.post(first(local), ok(1));
    expect(local.processState).toBe('halted');
  });

  test.each([[{ halt: 'true' }], [[{ halt: true }]], [null]])('a returned %j is an output', async (returned) => {
    expect(output(await new BabysitterFixture().create(async () => returned))).toEqual(returned);
  });

  test('a halt that the journal recorded as an output stays an output', async () => {
    const scene = new BabysitterFixture();
    const returned = { halt: true, reason: 'no disk' };
    const { run } = babysitterProcess('p', 'v1', async () => returned);
    const earlier = { store: scene.store, run: scene.run, definition: { id: 'p', codeHash: 'v1', run } };
    await LocalRun.create(earlier, { inputs: null });
    const again = await scene.open(async () => returned);
    expect(again.divergence).toBeUndefined();
    expect(again.state.end).toMatchObject({ status: 'completed', output: returned });
    expect(await scene.types()).toEqual(['RUN_CREATED', 'RUN_COMPLETED']);
  });

  test('a task that is not awaited, or whose errors are all caught, stays pending', async () => {
    const scene = new BabysitterFixture();
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
    expect(again.processState).toBe('waiting');
    expect(again.pending).toHaveLength(2);
    for (const { effectId } of again.pending) await again.post(effectId, ok(null));
    expect(output(again)).toBe('done');
  });

  test('cleanup runs at the end and not while waiting; its error does not replace the outcome', async () => {
    const seen: string[] = [];
    const local = await new BabysitterFixture().create(async (_, ctx) => {
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

  test('the same clock and the same answers give the same journal', async () => {
    const journal = async () => {
      const scene = new BabysitterFixture();
      const local = await scene.create(async (_, ctx) => [await once(ctx), ctx.random(), ctx.uuid()]);
      await local.post(first(local), ok(1));
      return (await scene.store.load(scene.run)).entries;
    };
    expect(await journal()).toEqual(await journal());
  });

  test('an undefined output is null, and one that JSON cannot carry is an error of the process', async () => {
    expect(output(await new BabysitterFixture().create(async () => undefined))).toBeNull();
    const unserializable = await new BabysitterFixture().create(async () => 1n as never);
    expect(unserializable.processState).toBe('broken');
    expect(unserializable.state.processError).toMatchObject({ error: { code: 'process_invalid' } });
  });
});

describe('the active context', () => {
  test('each concurrent run has its own context, a nested run restores the outer one, and there is none outside a run', async () => {
    const seen = async (_: unknown, ctx: ProcessContext) => {
      const before = requireProcessContext().runId;
      await ctx.task(node, {});
      return [before, requireProcessContext().runId, getActiveProcessContext()?.runId ?? null];
    };
    const scenes = [new BabysitterFixture(), new BabysitterFixture()].map((scene, i) =>
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
  const main: BabysitterProcess = async (inputs, ctx) => [inputs ?? null, await ctx.task(node, 1)];

  test('a run without a process waits for one; a dry run changes nothing; inputs are optional', async () => {
    const scene = new BabysitterFixture();
    const bare = await scene.create(main, null, { bare: true });
    expect([bare.processState, bare.pending.length]).toEqual(['waiting', 0]);
    expect(await assignProcess({ ...scene, process, dryRun: true })).toHaveLength(1);
    expect(await scene.types()).toEqual(['RUN_CREATED']);
    await assignProcess({ ...scene, process, inputs: { n: 1 } });
    const local = await scene.open(main);
    await local.post(first(local), ok('x'));
    expect(output(local)).toEqual([{ n: 1 }, 'x']);
  });

  test('a run with a process gets another process only with force, and then restarts', async () => {
    const scene = new BabysitterFixture();
    const before = await scene.create(main);
    await expect(assignProcess({ ...scene, process })).rejects.toMatchObject({ code: 'process_already_assigned' });
    await assignProcess({ ...scene, process, force: true });
    const after = await scene.open(main);
    expect(after.pending).toHaveLength(1);
    expect(first(after)).not.toBe(first(before));
  });

  test('a run that an operator halted with pending effects has ended', async () => {
    const scene = new BabysitterFixture();
    await scene.create(main);
    expect(await haltRun({ ...scene, reason: 'enough', dryRun: true })).toHaveLength(3);
    await haltRun({ ...scene, reason: 'enough' });
    const local = await scene.open(main);
    expect(local.processState).toBe('halted');
    expect(local.pending).toEqual([]);
    await expect(haltRun({ ...scene, reason: 'again' })).rejects.toMatchObject({
      code: 'request_ended',
      path: scene.run.runId,
      hint: expect.stringContaining('Fork the run'),
    });
    const failed = new BabysitterFixture();
    await failed.create(main);
    await haltRun({ ...failed, reason: 'x', error: { code: 'process_failed', message: 'stopped by an operator' } });
    expect((await failed.state()).end).toMatchObject({
      status: 'failed',
      error: { message: 'stopped by an operator' },
    });
  });
});
