import { describe, expect, test } from '@jest/globals';
import { CancelledError } from '../errors.ts';
import type { ProcessContext } from '../process-context.ts';
import { definition, draft, RunDriver } from '../testing/run-driver.ts';
import type { FedEntry } from './turn.ts';

const ask = (ctx: ProcessContext, label: string, request = {}) =>
  ctx.effect('task', { kind: 'node', taskId: 't', ...request }, { label });

describe('cancellation', () => {
  test('rejects what is pending, then runs cleanup with its own effects, last registered first', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        ctx.onCleanup(() => ctx.log('first registered'));
        ctx.onCleanup(async () => {
          ctx.log(`undone: ${String(await ask(ctx, 'undo'))}`);
        });
        try {
          return await ask(ctx, 'work');
        } catch (error) {
          ctx.log(error instanceof CancelledError ? `cancelled, ${error.reason}` : 'other');
          await ask(ctx, 'not any more');
          return 1;
        }
      }),
    );
    await driver.cancel('enough');
    expect(driver.turn.state).toBe('waiting');
    expect(driver.pending.map(({ label }) => label)).toEqual(['work', 'undo']);
    await driver.answer('undo', 'ok');
    expect(driver.turn.state).toBe('cancelled');
    expect(driver.state.end).toBeUndefined();
    const messages = driver.entries.flatMap((entry) => (entry.type === 'PROCESS_LOG' ? [entry.data.message] : []));
    expect(messages).toEqual(['cancelled, enough', 'undone: ok', 'first registered']);
  });

  test('does not reach into a shield', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        const kept = ctx.shield(async () => [await ask(ctx, 'kept'), await ask(ctx, 'kept too')]);
        await ask(ctx, 'open').catch(() => undefined);
        ctx.log('kept', await kept);
        return null;
      }),
    );
    await driver.cancel();
    await driver.answer('kept', 1);
    await driver.answer('kept too', 2);
    expect(driver.turn.state).toBe('cancelled');
    expect(driver.entries.at(-1)).toMatchObject({ type: 'PROCESS_LOG', data: { label: 'kept', message: [1, 2] } });
  });

  test('of one effect rejects that one', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        const error = await ask(ctx, 'one').catch((thrown: unknown) => thrown);
        return error instanceof CancelledError ? [error.reason, error.effectId ?? null] : null;
      }),
    );
    const { effectId } = driver.effect('one');
    await driver.feed(
      draft('EFFECT_CANCELLED', { effectId, attempt: 1, reason: 'stopped by an operator', confirmed: true }),
    );
    expect(driver.state.end).toMatchObject({ output: ['stopped by an operator', effectId] });
  });

  test('of a scope cancels its effects and leaves the others alone', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => {
        const outside = ask(ctx, 'outside');
        const inside = ctx.scope(async (scope) => {
          const slow = ask(ctx, 'slow').catch((error: unknown) =>
            error instanceof CancelledError ? error.reason : 'no',
          );
          await ask(ctx, 'quick');
          scope.cancel('quick was enough');
          return slow;
        });
        return [await inside, await outside];
      }),
    );
    await driver.answer('quick', 1);
    expect(driver.entries.at(-1)).toMatchObject({
      type: 'EFFECT_CANCELLED',
      data: { reason: 'quick was enough', confirmed: false },
    });
    await driver.takeover();
    await driver.answer('outside', 2);
    expect(driver.state.end).toMatchObject({ output: ['quick was enough', 2] });
  });

  test('before the process was started, or after it ended, changes nothing', async () => {
    const driver = await RunDriver.start(definition(async () => 1));
    expect(driver.turn.state).toBe('completed');
    const { coroutine } = await driver.replayed();
    const late = draft('RUN_CANCEL_REQUESTED', { idempotencyKey: 'c' });
    expect((await coroutine.advance([{ ...late, recordedAt: '2026-02-01T00:00:00Z' } as FedEntry])).drafts).toEqual([]);
  });
});
