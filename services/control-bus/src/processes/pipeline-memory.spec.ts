import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import { SimulatedRun } from '../testing/simulated-run.ts';

const USER = { scope: 'user', limit: 8, maxTokens: 300 };
const WORKSPACE = { scope: 'workspace', limit: 4, maxTokens: 100 };
const RECALLED = { namespace: 'user/ann', recordIds: ['r1'], context: '- [r1] fact: "on Fridays"' };
const WANT = 'When do we deploy?';

async function planned(memory: readonly object[], run = new SimulatedRun(), more: object = {}): Promise<SimulatedRun> {
  await run.submit({ input: WANT, userId: 'ann', ...more });
  await run.plan(['execute'], 1, { memory });
  return run;
}

const recalls = (run: SimulatedRun) =>
  run.published.flatMap(({ body }) => (body.type === 'runtime.memory.recall.requested' ? [body] : []));
const answer = (run: SimulatedRun, at: number, type: 'completed' | 'failed', fields: object) => {
  const { effectId, attempt } = recalls(run)[at] as { effectId: string; attempt?: number };
  return run.send(`runtime.memory.recall.${type}`, { effectId, attempt, ...fields });
};
const contextOf = (run: SimulatedRun) => run.requested('runtime.prepare.requested').context as JsonObject;

describe('the memory of a run', () => {
  test('is recalled once, before the first stage, and every preparation has it', async () => {
    const run = await planned([USER]);
    expect(run.types).not.toContain('runtime.prepare.requested');
    expect(run.types.filter((type) => type === 'runtime.memory.lifecycle')).toHaveLength(1);
    expect(run.requested('runtime.memory.lifecycle').hook).toBe('read-before-plan');
    expect(recalls(run)).toMatchObject([
      { namespace: 'user', query: WANT, limit: 8, maxTokens: 300, userId: 'ann', attempt: 1 },
    ]);
    await answer(run, 0, 'completed', RECALLED);
    expect(run.requested('runtime.memory.recall.completed')).toMatchObject(RECALLED);
    expect(contextOf(run).recalledMemory).toEqual([RECALLED]);
    await run.complete();
    expect(run.types).toContain('runtime.request.completed');
    expect(recalls(run)).toHaveLength(1);
  });

  test('has one hook for all scopes, and is recalled from them concurrently', async () => {
    const run = await planned([USER, WORKSPACE]);
    expect(recalls(run).map(({ namespace }) => namespace)).toEqual(['user', 'workspace']);
    expect(run.types.filter((type) => type === 'runtime.memory.lifecycle')).toHaveLength(1);
    await answer(run, 1, 'completed', { namespace: 'workspace/ws', recordIds: [], context: '' });
    expect(run.types).not.toContain('runtime.prepare.requested');
    await answer(run, 0, 'completed', RECALLED);
    expect(contextOf(run).recalledMemory).toMatchObject([RECALLED, { namespace: 'workspace/ws', context: '' }]);
  });

  test('fails with a fact of its own, and the run goes on', async () => {
    const run = await planned([USER]);
    const error = { code: 'service_unavailable', message: 'Postgres does not respond' };
    await answer(run, 0, 'failed', { error });
    expect(run.requested('runtime.memory.recall.failed')).toMatchObject({ namespace: 'user', error });
    expect(contextOf(run).recalledMemory).toEqual([{ namespace: 'user', error }]);
    await run.complete();
    expect(run.types).toContain('runtime.request.completed');
  });

  test('is given up at its deadline, and an answer after that changes nothing', async () => {
    const run = await planned([USER]);
    const [{ deadline = '' } = {}] = recalls(run);
    await run.pass(Date.parse(deadline) - run.now);
    expect(run.requested('runtime.memory.recall.failed').error.code).toBe('effect_timed_out');
    expect(contextOf(run).recalledMemory).toMatchObject([{ namespace: 'user', error: { code: 'effect_timed_out' } }]);
    await answer(run, 0, 'completed', RECALLED);
    expect(run.types).not.toContain('runtime.memory.recall.completed');
  });

  test('is not recalled without a declaration, and not with a limit of 0', async () => {
    for (const memory of [[], [{ ...USER, limit: 0 }]]) {
      const run = await planned(memory);
      expect(run.types.filter((type) => type.startsWith('runtime.memory.'))).toEqual([]);
      expect(contextOf(run)).not.toHaveProperty('recalledMemory');
    }
  });

  test('is that of the user of the run, whatever its process requests', async () => {
    const run = new SimulatedRun({
      id: 'p',
      codeHash: hashJson('p'),
      run: (context) => context.effect('memory.recall', { namespace: 'user', query: 'x', userId: 'bob' }),
    });
    await run.submit({ userId: 'ann' });
    expect(recalls(run)[0]?.userId).toBe('ann');
    const unowned = new SimulatedRun(run.process);
    await unowned.submit();
    expect(recalls(unowned)[0]).not.toHaveProperty('userId');
  });

  test('ends with the run when that is cancelled meanwhile', async () => {
    const run = await planned([USER]);
    await run.send('command.run.cancel', { idempotencyKey: 'c' });
    expect(run.types).toContain('runtime.request.cancelled');
    expect(run.types).not.toContain('runtime.prepare.requested');
  });

  test('is requested once, although its owner crashes before each message', async () => {
    const drive = async (run: SimulatedRun) => {
      await planned([USER, WORKSPACE], run);
      await answer(run, 0, 'completed', RECALLED);
      await answer(run, 1, 'failed', { error: { code: 'service_unavailable', message: 'm' } });
      await run.complete();
      return run.published.map(({ body }) => body);
    };
    const calm = await drive(new SimulatedRun());
    const run = new SimulatedRun();
    const { send } = run;
    run.send = (type, fields) => {
      run.crash();
      return send.call(run, type, fields);
    };
    expect(await drive(run)).toEqual(calm);
  });
});
