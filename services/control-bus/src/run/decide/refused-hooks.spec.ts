import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { ProcessContext } from '@reins/replay';
import { SimulatedRun } from '../../testing/simulated-run.ts';

const runOf = (run: (context: ProcessContext) => Promise<JsonValue>): SimulatedRun =>
  new SimulatedRun({ id: 'test', codeHash: 'v1', run });

const NO_RUNNER = 'no runner exists for the hook "before-ship"';

describe('a hook in a request', () => {
  test('fails at once, without another message', async () => {
    const run = runOf(async (context) => context.hook('before-ship', { files: 1 }));
    await run.submit();
    expect(run.requested('runtime.task.failed').error).toMatchObject({ code: 'hook_runner_missing' });
    expect(run.requested('runtime.request.completed').output).toEqual({
      hookType: 'before-ship',
      success: false,
      error: NO_RUNNER,
      executedHooks: [],
    });
    expect((await run.entries()).map(({ type }) => type)).toEqual([
      'RUN_CREATED',
      'EFFECT_REQUESTED',
      'EFFECT_RESOLVED',
      'RUN_COMPLETED',
    ]);
  });

  test('rejects with throwOnFailure, and the result is the same after a crash', async () => {
    const run = runOf(async (context) => {
      const error = await context.hook('before-ship', null, { throwOnFailure: true }).catch(({ code }) => code);
      return [error, await context.signal('go')];
    });
    await run.submit();
    run.crash();
    await run.send('command.signal', { idempotencyKey: 's', name: 'go', payload: 1 });
    expect(run.requested('runtime.request.completed').output).toEqual(['hook_runner_missing', 1]);
  });

  test('fails at once when it is requested again', async () => {
    const run = runOf(async (context) => {
      await context.hook('before-ship', null);
      return context.signal('go');
    });
    await run.submit();
    const { effectId } = run.requested('runtime.task.requested');
    await run.send('command.effect.invalidate', { idempotencyKey: 'i', effectId });
    await run.send('command.signal', { idempotencyKey: 's', name: 'go', payload: 1 });
    expect(run.requested('runtime.request.completed').output).toBe(1);
  });

  test('is not refused when the process cancels it in the same turn', async () => {
    const run = runOf(async (context) => {
      void context.hook('before-ship', null);
      throw new Error('no luck');
    });
    await run.submit();
    expect((await run.entries()).map(({ type }) => type)).not.toContain('EFFECT_RESOLVED');
    expect(run.requested('runtime.request.failed').error.message).toBe('no luck');
  });
});
