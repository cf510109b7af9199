import { describe, expect, test } from '@jest/globals';
import type { AnyEvent, EventOf, JsonObject, Limits } from '@reins/contracts';
import { applyEntry, type EntryDraft, emptyRun, type RunState, sealEntries } from '@reins/journal';
import { continueCancellation } from './cancel.ts';
import { MAX_EARLY_SIGNALS } from './commands.ts';
import { decide } from './decide.ts';
import { triggerOf } from './trigger.ts';

const RUN = { workspaceId: 'ws', runId: 'run1' };
const HEAD = { requestId: 'run1', sessionId: 's', agentId: 'main', workspaceId: 'ws' };
const AT = '2026-01-01T00:00:00.000Z';
const ANSWER_BY = '2026-01-02T00:00:00.000Z';
const LIMITS: Limits = { startWithinMs: 1_000, runForMs: 2_000, maxAttempts: 2, onUnknown: 'retry' };
const SHA = 'a'.repeat(64);

const created: EntryDraft = {
  type: 'RUN_CREATED',
  data: {
    workspaceId: 'ws',
    sessionId: 's',
    agentId: 'main',
    revision: SHA,
    process: { id: 'pipeline', codeHash: 'x' },
    inputs: null,
    session: {},
    idempotencyKey: 'k',
  },
};

const requested = (effectId: string, kind: string, request: JsonObject = {}): EntryDraft => ({
  type: 'EFFECT_REQUESTED',
  data: { effectId, kind, attempt: 1, key: effectId, argsHash: SHA, request, limits: LIMITS },
});

const stageRequest = requested('e1', 'stage', { stage: 'execute', runtimeId: 'pi', runtimeSource: 'stage', tree: SHA });

/** The state of a run after these entries. */
function given(...drafts: EntryDraft[]): RunState {
  const state = emptyRun(RUN);
  for (const entry of sealEntries(state.head, drafts, AT)) applyEntry(state, entry);
  return state;
}

/** The entry types that follow from a message. */
const when = (state: RunState, type: AnyEvent['type'], fields: object): EntryDraft[] =>
  decide(state, triggerOf('t1', { ...HEAD, type, ...fields } as unknown as AnyEvent), {
    answerBy: ANSWER_BY,
    waitsFor: () => !state.cancelRequested,
  });

const ofStage = { effectId: 'e1', stage: 'execute', runtimeId: 'pi', attempt: 1 };
const started: EntryDraft = { type: 'EFFECT_STARTED', data: { effectId: 'e1', attempt: 1 } };
const failure = { error: { code: 'model_error', message: 'overloaded' } };

describe('answers from workers', () => {
  test('record a start once', () => {
    const fields = { ...ofStage, hostId: 'h1', mcpServerMappings: [], timings: {} };
    const state = given(created, stageRequest);
    const [draft] = when(state, 'runtime.stage.started', fields);
    expect(draft).toMatchObject({ type: 'EFFECT_STARTED', data: { effectId: 'e1', attempt: 1, hostId: 'h1' } });
    expect(when(given(created, stageRequest, started), 'runtime.stage.started', fields)).toEqual([]);
  });

  test('resolve the effect with the fields of a successful answer', () => {
    const fields = { ...ofStage, output: 'done', tree: SHA };
    expect(when(given(created, stageRequest, started), 'runtime.stage.completed', fields)).toEqual([
      {
        type: 'EFFECT_RESOLVED',
        data: {
          effectId: 'e1',
          attempt: 1,
          status: 'ok',
          value: { stage: 'execute', runtimeId: 'pi', output: 'done', tree: SHA },
        },
      },
    ]);
  });

  test('retry a retryable failure up to the limit, then fail the effect', () => {
    const state = given(created, stageRequest, started);
    const first = when(state, 'runtime.stage.failed', { ...ofStage, ...failure, retryable: true });
    expect(first).toEqual([expect.objectContaining({ type: 'EFFECT_ATTEMPT_FAILED' })]);
    expect(first[0]?.data).toMatchObject({ attempt: 1, nextAttempt: 2, outcome: 'failed' });
    const second = given(created, stageRequest, started, ...first);
    expect(when(second, 'runtime.stage.failed', { ...ofStage, attempt: 2, ...failure, retryable: true })).toEqual([
      expect.objectContaining({
        type: 'EFFECT_RESOLVED',
        data: expect.objectContaining({ status: 'error', attempt: 2 }),
      }),
    ]);
  });

  test('do not retry a permanent failure', () => {
    const drafts = when(given(created, stageRequest, started), 'runtime.stage.failed', {
      ...ofStage,
      ...failure,
      retryable: false,
    });
    expect(drafts).toEqual([expect.objectContaining({ type: 'EFFECT_RESOLVED' })]);
  });

  test('fail the run with the first error of a rejected plan', () => {
    const diagnostics = [
      { severity: 'warning', code: 'a', message: 'w' },
      {
        severity: 'error',
        code: 'workspace_mcp_registry_missing',
        message: 'no registry',
        path: 'mcp_registry',
        hint: 'add it',
      },
      { severity: 'error', code: 'b', message: 'x' },
    ];
    const [draft] = when(given(created, requested('e1', 'plan')), 'runtime.plan.rejected', {
      effectId: 'e1',
      attempt: 1,
      diagnostics,
    });
    expect(draft?.data).toMatchObject({
      status: 'error',
      error: {
        code: 'workspace_mcp_registry_missing',
        path: 'mcp_registry',
        message: 'the workspace does not compile: no registry (and 1 more)',
      },
      value: { diagnostics },
    });
  });

  test.each([
    ['to another attempt', { attempt: 7 }],
    ['to an unknown effect', { effectId: 'e9' }],
  ])('ignore an answer %s', (_, fields) => {
    const state = given(created, stageRequest, started);
    expect(when(state, 'runtime.stage.completed', { ...ofStage, output: null, tree: SHA, ...fields })).toEqual([]);
  });

  test('ignore a second answer', () => {
    const state = given(created, stageRequest, started);
    const done = when(state, 'runtime.stage.completed', { ...ofStage, output: 'first', tree: SHA });
    expect(
      when(given(created, stageRequest, started, ...done), 'runtime.stage.completed', {
        ...ofStage,
        output: 'second',
        tree: SHA,
      }),
    ).toEqual([]);
  });

  test('are rejected without an attempt', () => {
    expect(() => when(given(created, stageRequest), 'runtime.stage.completed', { effectId: 'e1' })).toThrow(
      expect.objectContaining({ code: 'message_invalid' }),
    );
  });
});

describe('deadlines', () => {
  const timer = (name: EventOf<'timer.due'>['timer'], attempt = 1) => ({ effectId: 'e1', attempt, timer: name });

  test('fail and retry a stage that no host has started', () => {
    const [draft] = when(given(created, stageRequest), 'timer.due', timer('start'));
    expect(draft?.data).toMatchObject({ outcome: 'failed', error: { code: 'effect_not_started' }, nextAttempt: 2 });
  });

  test('give a started stage without an answer an unknown outcome', () => {
    const [draft] = when(given(created, stageRequest, started), 'timer.due', timer('run'));
    expect(draft?.data).toMatchObject({ outcome: 'unknown', error: { code: 'effect_timed_out' } });
  });

  test('change nothing for an earlier attempt', () => {
    expect(when(given(created, stageRequest, started), 'timer.due', timer('start'))).toEqual([]);
    expect(when(given(created, stageRequest, started), 'timer.due', timer('run', 2))).toEqual([]);
  });
});

test('a process error that is not fixed in time fails the run', () => {
  const broken: EntryDraft = {
    type: 'PROCESS_RUNTIME_ERROR',
    data: { error: { code: 'replay_nondeterminism', message: 'another effect' }, expiresAt: ANSWER_BY },
  };
  const drafts = when(given(created, stageRequest, broken), 'timer.due', {
    effectId: 'run1',
    attempt: 1,
    timer: 'expiry',
  });
  expect(drafts.map(({ type }) => type)).toEqual(['EFFECT_CANCELLED', 'RUN_FAILED']);
  expect(when(given(created, stageRequest), 'timer.due', { effectId: 'run1', attempt: 1, timer: 'expiry' })).toEqual(
    [],
  );
});

describe('cancelling', () => {
  const cancel = { idempotencyKey: 'c1', reason: 'changed my mind' };

  const asked: EntryDraft = { type: 'RUN_CANCEL_REQUESTED', data: cancel };
  const cancelAbandonedEffects = { hasEnded: true, waitsFor: () => false };
  const typesOf = (drafts: readonly EntryDraft[]): string[] => drafts.map(({ type }) => type);

  test('is recorded first, so that the process unwinds', () => {
    expect(when(given(created, stageRequest), 'command.run.cancel', cancel)).toEqual([asked]);
  });

  test('ends immediately when the process has ended and no host is working', () => {
    const state = given(created, stageRequest, asked);
    expect(typesOf(continueCancellation(state, cancelAbandonedEffects))).toEqual(['EFFECT_CANCELLED', 'RUN_CANCELLED']);
    expect(typesOf(continueCancellation(state, { ...cancelAbandonedEffects, hasEnded: false }))).toEqual([
      'EFFECT_CANCELLED',
    ]);
  });

  test('keeps effects that the clean-up waits for', () => {
    const state = given(created, stageRequest, asked);
    expect(continueCancellation(state, { hasEnded: false, waitsFor: (effectId) => effectId === 'e1' })).toEqual([]);
  });

  test('waits until the host of a running stage confirms', () => {
    const state = given(created, stageRequest, started, asked);
    expect(continueCancellation(state, cancelAbandonedEffects)).toEqual([]);
    const confirmed = when(state, 'runtime.stage.cancelled', ofStage);
    expect(confirmed).toEqual([{ type: 'EFFECT_CANCELLED', data: { effectId: 'e1', attempt: 1, confirmed: true } }]);
    expect(
      continueCancellation(given(created, stageRequest, started, asked, ...confirmed), cancelAbandonedEffects),
    ).toEqual([{ type: 'RUN_CANCELLED', data: { reason: 'changed my mind' } }]);
  });

  test('ends without confirmation after the grace period', () => {
    const state = given(created, stageRequest, started, asked);
    const grace = when(state, 'timer.due', { effectId: 'run1', attempt: 1, timer: 'grace' });
    expect(typesOf(grace)).toEqual(['EFFECT_CANCELLED', 'RUN_CANCELLED']);
  });

  test('does not retry a stage that fails meanwhile', () => {
    const state = given(created, stageRequest, started, asked);
    const completed = when(state, 'runtime.stage.completed', { ...ofStage, output: 'late', tree: SHA });
    expect(typesOf(completed)).toEqual(['EFFECT_RESOLVED']);
    const failed = when(state, 'runtime.stage.failed', { ...ofStage, ...failure, retryable: true });
    expect(typesOf(failed)).toEqual(['EFFECT_CANCELLED']);
  });

  test('changes nothing when it is repeated, or when the run has ended', () => {
    const state = given(created, stageRequest, started, asked);
    expect(when(state, 'command.run.cancel', { idempotencyKey: 'c2' })).toEqual([]);
    const ended = given(created, { type: 'RUN_COMPLETED', data: { output: null } });
    expect(when(ended, 'command.run.cancel', cancel)).toEqual([]);
  });
});

test('a run that an operator halts records that its process did not decide it', () => {
  const halted = when(given(created, stageRequest), 'command.run.halt', { idempotencyKey: 'h', reason: 'r' });
  expect(halted).toMatchObject([
    { type: 'EFFECT_CANCELLED', data: { effectId: 'e1', confirmed: false } },
    { type: 'PROCESS_LOG', data: { label: 'run:halt', message: { reason: 'r' } } },
    { type: 'RUN_HALTED', data: { reason: 'r' } },
  ]);
});

test('a question accepts one answer', () => {
  const asks: EntryDraft = { type: 'EFFECT_WAITING', data: { effectId: 'e1', reason: 'user', question: 'which?' } };
  const state = given(created, stageRequest, started, asks);
  const answer = { idempotencyKey: 'a1', effectId: 'e1', answer: 'this' };
  const drafts = when(state, 'command.run.answer', answer);
  expect(drafts).toEqual([{ type: 'EFFECT_ANSWERED', data: { effectId: 'e1', answer: 'this', idempotencyKey: 'a1' } }]);
  expect(when(given(created, stageRequest, started, asks, ...drafts), 'command.run.answer', answer)).toEqual([]);
});

test.each([['no'], ['yes'], [false], [true], [null], [{ approved: 'yes' }], [{ approved: true, extra: 1 }], [[]]])(
  'the answer %j to a breakpoint is refused, because it is not a decision',
  (answer) => {
    const state = given(created, requested('e1', 'breakpoint', { approvalId: 'e1', subject: { kind: 'breakpoint' } }));
    const send = () => when(state, 'command.run.answer', { effectId: 'e1', answer, idempotencyKey: 'a' });
    expect(send).toThrow(expect.objectContaining({ code: 'answer_invalid', path: 'answer' }));
  },
);

test('a breakpoint cannot fail like a task', () => {
  const state = given(created, requested('e1', 'breakpoint', { approvalId: 'e1', subject: { kind: 'breakpoint' } }));
  const failed = { effectId: 'e1', answer: null, error: { code: 'x', message: 'no' }, idempotencyKey: 'a' };
  expect(() => when(state, 'command.run.answer', failed)).toThrow(expect.objectContaining({ code: 'answer_invalid' }));
});

describe('signals that the process does not wait for yet', () => {
  const early = (n: number, name = 'go'): EntryDraft => ({
    type: 'SIGNAL_RECEIVED',
    data: { name, payload: n, idempotencyKey: `s${n}` },
  });
  const signal = (state: RunState, name = 'go') =>
    when(state, 'command.signal', { name, payload: 1, idempotencyKey: 'one-more' });
  const many = Array.from({ length: MAX_EARLY_SIGNALS }, (_, n) => early(n, n % 2 === 0 ? 'go' : 'stop'));

  test('are kept up to a maximum', () => {
    expect(signal(given(created, ...many.slice(1)))).toMatchObject([{ type: 'SIGNAL_RECEIVED' }]);
    expect(() => signal(given(created, ...many))).toThrow(expect.objectContaining({ code: 'signals_full' }));
    // A repeated signal is not rejected, because it is already kept.
    expect(when(given(created, ...many), 'command.signal', { name: 'go', idempotencyKey: 's0' })).toEqual([]);
  });

  test('free their place when they are consumed, and never block a signal that is waited for', () => {
    const waits = requested('e1', 'signal', { name: 'go' });
    const [received, resolved] = signal(given(created, ...many, requested('e1', 'signal', { name: 'other' })), 'other');
    expect([received?.type, resolved?.type]).toEqual(['SIGNAL_RECEIVED', 'EFFECT_RESOLVED']);
    expect(signal(given(created, ...many, waits), 'stop')).toMatchObject([{ type: 'SIGNAL_RECEIVED' }]);
  });
});
