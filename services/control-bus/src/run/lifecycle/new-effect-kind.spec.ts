import { expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { EFFECT_KINDS, type EffectKind, hashJson } from '@reins/journal';
import type { ProcessContext } from '@reins/replay';
import { SimulatedRun } from '../../testing/simulated-run.ts';

// A new kind of effect has two files: its descriptor, and the list of `effect-kinds.ts`.

/** The descriptor of work on a host. Its facts are borrowed, because events are declared in the contract. */
const audit: EffectKind = {
  facts: {
    requested: 'runtime.workflow.requested',
    started: 'runtime.workflow.started',
    completed: 'runtime.workflow.completed',
    failed: 'runtime.workflow.failed',
  },
  identity: ['workflowId', 'adapter'],
  failsWhenCancelled: true,
  resolvedBy: 'worker',
  limits: { startWithinMs: 1_000, runForMs: 2_000, maxAttempts: 2, onUnknown: 'retry' },
  deadline: 'worker',
  stop: 'host',
};

/** The descriptor of a wait. */
const vote: EffectKind = {
  facts: { requested: 'runtime.approval.requested' },
  identity: [],
  requestedFields: () => ({}),
  resolvedBy: 'decision',
  limits: { startWithinMs: 1_000, runForMs: 60_000, maxAttempts: 1, onUnknown: 'fail' },
  deadline: 'expiry',
  suspension: {
    reason: 'approval',
    message: () => 'the votes',
    resumedBecause: () => undefined,
    expired: () => ({ code: 'approval_expired', message: 'too few votes' }),
  },
};

/** The list. */
Object.assign(EFFECT_KINDS, { audit, vote });

const AUDIT = { workflowId: 'w', adapter: 'a', input: null };
const VOTE = { approvalId: 'v', subject: { kind: 'tool' }, expiresAt: '2026-01-01T00:01:00.000Z' };

const requesting = (kind: string, request: JsonObject) =>
  new SimulatedRun({
    id: 'p',
    codeHash: hashJson('p'),
    run: async (context: ProcessContext) => context.effect(kind, request),
  });

test('a host does the work, is stopped after its deadline, and does it again', async () => {
  const run = requesting('audit', AUDIT);
  await run.submit();
  const { effectId } = run.requested('runtime.workflow.requested');
  await run.answer('workflow', 'runtime.workflow.started', { workflowId: 'w', adapter: 'a' });
  run.crash();
  await run.pass(10_000);
  expect(run.orders).toEqual([{ effectId, kind: 'cancel', attempt: 1 }]);
  expect(run.requested('runtime.workflow.failed')).toMatchObject({ workflowId: 'w', adapter: 'a' });
  expect(run.requested('runtime.workflow.requested')).toMatchObject({ ...AUDIT, attempt: 2 });
  await run.answer('workflow', 'runtime.workflow.completed', { workflowId: 'w', adapter: 'a', output: 'fine' });
  expect(run.requested('runtime.request.completed').output).toMatchObject({ output: 'fine' });
});

test('cancelled work has its failed fact', async () => {
  const run = requesting('audit', AUDIT);
  await run.submit();
  await run.send('command.run.cancel', { idempotencyKey: 'c' });
  expect(run.requested('runtime.workflow.failed').error.code).toBe('effect_cancelled');
  expect(run.types.at(-2)).toBe('runtime.request.cancelled');
});

test('a wait suspends the run, and ends by a decision or by its time', async () => {
  const run = requesting('vote', VOTE);
  await run.submit();
  expect(run.requested('runtime.request.waiting')).toMatchObject({ reason: 'approval', message: 'the votes' });
  await run.send('command.approval.resolve', { approvalId: 'v', decision: 'approved', decidedBy: 'ann' });
  expect(run.requested('runtime.request.completed').output).toMatchObject({ approved: true, respondedBy: 'ann' });

  const late = requesting('vote', VOTE);
  await late.submit();
  await late.pass(60_000);
  expect(late.requested('runtime.request.failed').error.message).toBe('too few votes');
});

test('its requests are checked against its fact', async () => {
  const run = requesting('audit', { workflowId: 'w' });
  await run.submit();
  expect(run.requested('runtime.request.failed').error.message).toContain('adapter is required');
});
