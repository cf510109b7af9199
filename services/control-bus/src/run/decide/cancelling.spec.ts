import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { ProcessContext } from '@reins/replay';
import { SimulatedRun } from '../../testing/simulated-run.ts';

const SHA = 'a'.repeat(64);
const STAGE = {
  stage: 'execute',
  runtimeId: 'pi',
  runtimeSource: 'default',
  hostRequestRef: { sha256: SHA, size: 1 },
  tree: SHA,
};
const STOPPED = ['runtime.request.cancelled', 'control.directive.emitted'];

const runOf = (run: (context: ProcessContext) => Promise<JsonValue>): SimulatedRun =>
  new SimulatedRun({ id: 'test', codeHash: 'v1', run });

/** A process that runs a stage, and requests a plan as its clean-up. */
const tidy = async (context: ProcessContext): Promise<JsonValue> => {
  context.onCleanup(async () => {
    await context.effect('plan', { revision: SHA }, { key: 'tidy' });
  });
  await context.effect('stage', STAGE, { key: 'work' });
  return null;
};

describe('a cancelled run', () => {
  test('cleans up before it ends', async () => {
    const run = runOf(tidy);
    await run.submit();
    await run.send('command.run.cancel', { idempotencyKey: 'c', reason: 'no' });
    expect(run.types).toEqual(expect.arrayContaining(['runtime.stage.cancelled', 'runtime.plan.requested']));
    expect(run.types).not.toContain('runtime.request.cancelled');
    await run.plan([]);
    expect(run.types.slice(-2)).toEqual(STOPPED);
  });

  test('continues its clean-up with the next owner', async () => {
    const run = runOf(tidy);
    await run.submit();
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    run.crash();
    await run.plan([]);
    expect(run.types.slice(-2)).toEqual(STOPPED);
    expect(run.types.filter((type) => type === 'runtime.plan.requested')).toHaveLength(1);
  });

  test('waits for both the clean-up and the host', async () => {
    const run = runOf(tidy);
    await run.submit();
    await run.start();
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(run.orders.map(({ kind }) => kind)).toEqual(['cancel']);
    await run.plan([]);
    expect(run.types).not.toContain('runtime.request.cancelled');
    await run.answer('stage', 'runtime.stage.cancelled');
    expect(run.types.slice(-2)).toEqual(STOPPED);
  });

  test('ends after the grace period, even if the clean-up is not done', async () => {
    const run = runOf(tidy);
    await run.submit();
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    await run.pass(10_000);
    expect(run.types.slice(-2)).toEqual(STOPPED);
    await run.plan([]);
    expect(run.types.slice(-2)).toEqual(STOPPED);
  });

  test('does not stop the host of a shielded effect', async () => {
    const run = runOf(async (context) => context.shield(() => context.effect('stage', STAGE, { key: 'work' })));
    await run.submit();
    await run.start();
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(run.orders).toEqual([]);
    await run.answer('stage', 'runtime.stage.failed', {
      error: { code: 'harness_failed', message: 'x' },
      retryable: true,
    });
    expect(run.requested('runtime.stage.requested').attempt).toBe(2);
    await run.answer('stage', 'runtime.stage.completed', { output: 'x', tree: 'b'.repeat(64) });
    expect(run.types.slice(-2)).toEqual(STOPPED);
  });
});
