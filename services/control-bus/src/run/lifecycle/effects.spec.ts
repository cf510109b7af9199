import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import type { DefinedTask, ProcessContext } from '@reins/replay';
import { SimulatedRun } from '../../testing/simulated-run.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const RESUMED = ['runtime.request.resumed', 'control.directive.emitted'];
const WAITING = ['runtime.request.waiting', 'control.directive.emitted'];

const build: DefinedTask<{ readonly target: string }> = {
  id: 'build/app',
  build: () => ({ kind: 'node', title: 'Build' }),
};

async function started(run: (context: ProcessContext) => Promise<JsonValue>): Promise<SimulatedRun> {
  const simulated = new SimulatedRun({ id: 'test', codeHash: 'v1', run });
  await simulated.submit();
  return simulated;
}

const outputOf = (run: SimulatedRun): JsonValue | undefined => run.requested('runtime.request.completed').output;
const errorOf = (run: SimulatedRun) => run.requested('runtime.request.failed').error;

describe('a task', () => {
  const one = (context: ProcessContext) => context.task(build, { target: 'x' });

  test('is requested with its definition, and answered by a person once', async () => {
    const run = await started(one);
    const asked = run.requested('runtime.task.requested');
    expect(asked).toMatchObject({
      kind: 'node',
      taskId: 'build/app',
      label: 'Build',
      args: { target: 'x' },
      attempt: 1,
    });
    const answer = { idempotencyKey: 'a', effectId: asked.effectId, answer: { ok: 1 } };
    await run.send('command.run.answer', answer);
    run.crash();
    await run.send('command.run.answer', { ...answer, answer: 'late' });
    expect(run.requested('runtime.task.completed').value).toEqual({ ok: 1 });
    expect(outputOf(run)).toEqual({ ok: 1 });
  });

  test('is answered by a worker', async () => {
    const run = await started(one);
    const { effectId, kind, taskId } = run.requested('runtime.task.requested');
    await run.send('runtime.task.completed', { effectId, attempt: 1, kind, taskId, value: 7 });
    expect(outputOf(run)).toBe(7);
  });

  test('fails with the error of its answer', async () => {
    const run = await started(one);
    const { effectId } = run.requested('runtime.task.requested');
    const error = { code: 'harness_failed', message: 'no compiler' };
    await run.send('command.run.answer', { idempotencyKey: 'a', effectId, answer: null, error });
    expect(run.requested('runtime.task.failed').error).toEqual(error);
    expect(errorOf(run)).toMatchObject(error);
  });

  test('rejects with an error that the process can catch when it is cancelled', async () => {
    const run = await started((context) => one(context).catch((error: Error) => error.message));
    const { effectId } = run.requested('runtime.task.requested');
    await run.send('command.effect.cancel', { idempotencyKey: 'c', effectId, reason: 'not needed' });
    expect(outputOf(run)).toBe('cancelled: not needed');
  });

  test('that is a hook ends at its deadline', async () => {
    const run = await started((context) => context.hook('on-end', null, { timeout: 5_000 }));
    expect(run.requested('runtime.task.requested')).toMatchObject({ kind: 'hook', taskId: '__sdk.hook' });
    await run.pass(5_000);
    expect(outputOf(run)).toMatchObject({ hookType: 'on-end', success: false });
  });

  test('of the orchestrator is answered like any other task', async () => {
    const run = await started((context) => context.orchestratorTask({ do: 'it' }));
    const { effectId, kind } = run.requested('runtime.task.requested');
    await run.send('command.run.answer', { idempotencyKey: 'a', effectId, answer: 'did it' });
    expect([kind, outputOf(run)]).toEqual(['orchestrator_task', 'did it']);
  });
});

describe('a breakpoint', () => {
  const ask = (context: ProcessContext) => context.breakpoint({ question: 'ship?' }, { label: 'Ship' });

  test('waits for the decision of a person', async () => {
    const run = await started(ask);
    expect(run.types.slice(-3)).toEqual(['runtime.approval.requested', ...WAITING]);
    const { approvalId, subject } = run.requested('runtime.approval.requested');
    expect(subject).toMatchObject({ kind: 'breakpoint', label: 'Ship' });
    run.crash();
    const decision = { idempotencyKey: 'd', approvalId, decision: 'denied', decidedBy: 'ann', comment: 'friday' };
    await run.send('command.approval.resolve', decision);
    await run.send('command.approval.resolve', { ...decision, decision: 'approved' });
    expect(run.requested('runtime.approval.resolved')).toMatchObject({ decision: 'denied', decidedBy: 'ann' });
    expect(outputOf(run)).toEqual({ approved: false, respondedBy: 'ann', response: 'friday', feedback: 'friday' });
    expect(run.types.slice(-5, -2)).toEqual(['runtime.approval.resolved', ...RESUMED]);
  });

  test('can be answered like a question', async () => {
    const run = await started(ask);
    const { approvalId: effectId } = run.requested('runtime.approval.requested');
    const answer = { approved: true, option: 'canary' };
    await run.send('command.run.answer', { idempotencyKey: 'a', effectId, answer, answeredBy: 'bob' });
    expect(run.requested('runtime.approval.resolved')).toMatchObject({ decision: 'approved', decidedBy: 'bob' });
    expect(outputOf(run)).toEqual({ ...answer, respondedBy: 'bob' });
  });

  test.each([
    ['approve', true],
    ['deny', false],
  ])('takes the answer %s, which the record and the process share', async (answer, approved) => {
    const run = await started(ask);
    const { approvalId: effectId } = run.requested('runtime.approval.requested');
    await run.send('command.run.answer', { idempotencyKey: 'a', effectId, answer, answeredBy: 'bob' });
    const decision = approved ? 'approved' : 'denied';
    expect(run.requested('runtime.approval.resolved')).toMatchObject({ decision, decidedBy: 'bob' });
    expect(outputOf(run)).toEqual({ approved, respondedBy: 'bob' });
  });

  test.each(['feedback', 'response'])(
    'records the person and the %s of an answer, as the process receives them',
    async (field) => {
      const run = await started(ask);
      const { approvalId: effectId } = run.requested('runtime.approval.requested');
      const answer = { approved: false, [field]: 'friday', respondedBy: 'ann' };
      await run.send('command.run.answer', { idempotencyKey: 'a', effectId, answer, answeredBy: 'ci key' });
      const record = { decision: 'denied', decidedBy: 'ann (ci key)', comment: 'friday' };
      expect(run.requested('runtime.approval.resolved')).toMatchObject(record);
      const texts = { feedback: 'friday', response: 'friday' };
      expect(outputOf(run)).toEqual({ approved: false, ...texts, respondedBy: 'ann (ci key)' });
    },
  );

  test('expires without a decision', async () => {
    const run = await started((context) => context.breakpoint({}, { expiresAt: context.now().getTime() + DAY_MS }));
    run.crash();
    await run.pass(DAY_MS);
    expect(run.requested('runtime.approval.resolved').decision).toBe('expired');
    expect(errorOf(run)).toMatchObject({ code: 'approval_expired', hint: expect.stringContaining('expiresAt') });
  });
});

describe('time and signals', () => {
  test('a sleep ends when it is due, also after a takeover', async () => {
    const run = await started(async (context) => {
      await context.sleepUntil(context.now().getTime() + DAY_MS);
      return context.now().toISOString();
    });
    expect(run.requested('runtime.request.waiting')).toMatchObject({
      reason: 'timer',
      expiresAt: '2026-01-02T00:00:00.000Z',
    });
    run.crash();
    await run.pass(DAY_MS - 1);
    expect(run.types.slice(-2)).toEqual(WAITING);
    await run.pass(1);
    expect(outputOf(run)).toBe('2026-01-02T00:00:00.000Z');
  });

  test('a signal resolves the effect that waits for it, and a repeat is ignored', async () => {
    const run = await started(async (context) => [await context.signal('go'), await context.signal('go')]);
    const command = { idempotencyKey: 's1', name: 'go', payload: 1 };
    await run.send('command.signal', command);
    run.crash();
    await run.send('command.signal', command);
    expect(run.requested('runtime.request.waiting').reason).toBe('signal');
    await run.send('command.signal', { ...command, idempotencyKey: 's2', payload: 2 });
    expect(outputOf(run)).toEqual([1, 2]);
  });

  test('an early signal is kept', async () => {
    const run = await started(async (context) => {
      await context.task(build, { target: 'x' });
      return context.signal('go');
    });
    await run.send('command.signal', { idempotencyKey: 's', name: 'go', payload: 'early' });
    run.crash();
    const { effectId } = run.requested('runtime.task.requested');
    await run.send('command.run.answer', { idempotencyKey: 'a', effectId, answer: null });
    expect(outputOf(run)).toBe('early');
  });

  test('a signal that does not arrive in time fails the effect', async () => {
    const run = await started((context) => context.signal('go', { deadline: context.now().getTime() + DAY_MS }));
    await run.pass(DAY_MS);
    expect(errorOf(run)).toMatchObject({ code: 'signal_timeout', hint: expect.stringContaining('expiresAt') });
  });
});

describe('a local step', () => {
  test('runs in the owner, is retried after a failure, and recorded once', async () => {
    let tries = 0;
    const run = await started((context) =>
      context.step('fetch', () => {
        tries += 1;
        if (tries === 1) throw new Error('away');
        return tries;
      }),
    );
    await run.runSteps();
    expect(outputOf(run)).toBe(2);
    expect((await run.entries()).map(({ type }) => type)).toEqual([
      'RUN_CREATED',
      'EFFECT_REQUESTED',
      'EFFECT_ATTEMPT_FAILED',
      'EFFECT_RESOLVED',
      'RUN_COMPLETED',
    ]);
  });

  test('runs again in the next owner when the result was not recorded', async () => {
    const run = await started((context) => context.step('fetch', () => 'there'));
    run.crash();
    await run.runSteps();
    expect(outputOf(run)).toBe('there');
  });
});

test('continueAsNew restarts the process with new inputs', async () => {
  const restarted = new SimulatedRun({
    id: 'loop',
    codeHash: 'v1',
    run: async (context, { inputs }) => {
      const { count = 0 } = inputs as unknown as { count?: number };
      await context.signal('tick');
      return count < 2 ? context.continueAsNew({ count: count + 1 }) : count;
    },
  });
  await restarted.submit();
  for (const key of ['a', 'b', 'c']) {
    await restarted.send('command.signal', { idempotencyKey: key, name: 'tick' });
    restarted.crash();
  }
  expect(outputOf(restarted)).toBe(2);
});

test('a process halts with success, and its log is in the journal', async () => {
  const run = await started(async (context) => {
    context.log('note', 'enough');
    return context.halt('done early', { left: 3 });
  });
  expect(run.requested('runtime.request.completed')).toMatchObject({ output: { left: 3 }, halted: true });
  expect((await run.entries())[1]).toMatchObject({ type: 'PROCESS_LOG', data: { label: 'note', message: 'enough' } });
});

describe('large values', () => {
  const LARGE = 'x'.repeat(100_000);

  test('are stored as blobs, equal ones once, and complete for the process and in facts', async () => {
    const run = await started(async (context) => {
      let size = 0;
      for (let i = 0; i < 40; i += 1) size += String(await context.task(build, { target: String(i) })).length;
      return size;
    });
    for (let i = 0; i < 40; i += 1) {
      const { effectId } = run.requested('runtime.task.requested');
      if (i % 10 === 0) run.crash();
      await run.send('command.run.answer', { idempotencyKey: `a${i}`, effectId, answer: LARGE });
    }
    expect(outputOf(run)).toBe(40 * LARGE.length);
    expect(run.requested('runtime.task.completed').value).toBe(LARGE);
    expect(run.blobs).toBe(1);
    const entries = await run.entries();
    expect(JSON.stringify(entries).length / entries.length).toBeLessThan(1_000);
  });

  test('of requests are complete in facts, in retries and after a takeover', async () => {
    const args = { toolId: 'search', args: { text: LARGE } };
    const run = await started((context) => context.effect('tool.direct', args, { limits: { maxAttempts: 3 } }));
    const again = { error: { code: 'x', message: 'y' }, retryable: true, toolId: 'search' };
    for (const attempt of [1, 2, 3]) {
      expect(run.requested('runtime.tool.direct.requested')).toMatchObject({ ...args, attempt });
      run.crash();
      if (attempt < 3) await run.answer('tool.direct', 'runtime.tool.direct.failed', again);
    }
    await run.answer('tool.direct', 'runtime.tool.direct.completed', { toolId: 'search', output: 1 });
    expect(outputOf(run)).toEqual({ toolId: 'search', output: 1 });
    expect(JSON.stringify(await run.entries()).length).toBeLessThan(5_000);
  });
});
