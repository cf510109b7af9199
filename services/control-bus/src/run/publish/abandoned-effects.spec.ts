import { expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { DefinedTask, ProcessContext } from '@reins/replay';
import { SimulatedRun } from '../../testing/simulated-run.ts';

const slow: DefinedTask<null> = { id: 'slow', build: () => ({ kind: 'node' }) };

/** Cancels a task after three seconds. */
const hasty = {
  id: 'hasty',
  codeHash: 'v1',
  run: (context: ProcessContext): Promise<JsonValue> =>
    context.scope(async (scope) => {
      const task = context.task(slow, null).catch(() => 'abandoned');
      await context.sleepUntil(context.now().getTime() + 3_000);
      scope.cancel('too slow');
      return task;
    }),
};

const say = (run: SimulatedRun, type: 'pause' | 'resume'): Promise<void> =>
  run.send(`command.run.${type}`, { idempotencyKey: type });

test('an effect that was answered during a pause is not abandoned afterwards', async () => {
  const run = new SimulatedRun(hasty);
  await run.submit();
  await say(run, 'pause');
  await run.pass(3_000);
  await run.answer('task', 'runtime.task.completed', { kind: 'node', taskId: 'slow', value: 'late' });
  await say(run, 'resume');
  const entries = await run.entries();
  expect(entries.map(({ type }) => type)).not.toContain('EFFECT_CANCELLED');
  expect(run.requested('runtime.request.completed').output).toBe('abandoned');
  run.crash();
  await expect(run.pass(0)).resolves.toBeUndefined();
});

test('an invalidated effect is cancelled at its current attempt', async () => {
  const run = new SimulatedRun(hasty);
  await run.submit();
  const { effectId } = run.requested('runtime.task.requested');
  await run.send('command.effect.invalidate', { idempotencyKey: 'again', effectId });
  await run.pass(3_000);
  const cancelled = (await run.entries()).filter(({ type, data }) => type === 'EFFECT_CANCELLED' && 'attempt' in data);
  expect(cancelled.at(-1)?.data).toMatchObject({ effectId, attempt: 2 });
  expect(run.requested('runtime.request.completed').output).toBe('abandoned');
});

test('a previous owner does not continue the run', async () => {
  const run = new SimulatedRun(hasty);
  run.epoch = 2;
  await run.submit();
  run.crash();
  run.epoch = 1;
  await expect(run.pass(3_000)).rejects.toMatchObject({ code: 'partition_moved' });
  run.epoch = 2;
  await run.pass(0);
  expect(run.types.at(-2)).toBe('runtime.request.completed');
});
