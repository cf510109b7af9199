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

/** What a message makes of a state. */
const when = (state: RunState, type: AnyEvent['type'], fields: object): EntryDraft[] =>
  decide(state, triggerOf('t1', { ...HEAD, type, ...fields } as unknown as AnyEvent), {
    answerBy: ANSWER_BY,
    waitsFor: () => !state.cancelRequested,
  });

const ofStage = { effectId: 'e1', stage: 'execute', runtimeId: 'pi', attempt: 1 };
const started: EntryDraft = { type: 'EFFECT_STARTED', data: { effectId: 'e1', attempt: 1 } };
const failure = { error: { code: 'model_error', message: 'overloaded' } };

describe('answers of workers', () => {
  test('a start is recorded once', () => {
    const fields = { ...ofStage, hostId: 'h1', mcpServerMappings: [], timings: {} };
    const state = given(created, stageRequest);
    const [draft] = when(state, 'runtime.stage.started', fields);
    expect(draft).toMatchObject({ type: 'EFFECT_STARTED', data: { effectId: 'e1', attempt: 1, hostId: 'h1' } });
    expect(when(given(created, stageRequest, started), 'runtime.stage.started', fields)).toEqual([]);
  });

  test('an affirmative end resolves the effect with what the answer adds to its head', () => {
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

  test('a retryable failure is tried again while the limits allow it, then it is the end', () => {
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

  test('a failure that would happen again is not tried again', () => {
    const drafts = when(given(created, stageRequest, started), 'runtime.stage.failed', {
      ...ofStage,
      ...failure,
      retryable: false,
    });
    expect(drafts).toEqual([expect.objectContaining({ type: 'EFFECT_RESOLVED' })]);
  });

  test('a rejected plan is final, and its first error is the run’s', () => {
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
    ['of an earlier attempt', { attempt: 7 }],
    ['about an effect that nobody asked for', { effectId: 'e9' }],
  ])('an answer %s is late and changes nothing', (_, fields) => {
    const state = given(created, stageRequest, started);
    expect(when(state, 'runtime.stage.completed', { ...ofStage, output: null, tree: SHA, ...fields })).toEqual([]);
  });

  test('a second answer changes nothing', () => {
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

  test('one that does not say which attempt it is about is refused', () => {
    expect(() => when(given(created, stageRequest), 'runtime.stage.completed', { effectId: 'e1' })).toThrow(
      expect.objectContaining({ code: 'message_invalid' }),
    );
  });
});

describe('deadlines', () => {
  const timer = (name: EventOf<'timer.due'>['timer'], attempt = 1) => ({ effectId: 'e1', attempt, timer: name });

  test('a stage that nobody began has failed and is tried again', () => {
    const [draft] = when(given(created, stageRequest), 'timer.due', timer('start'));
    expect(draft?.data).toMatchObject({ outcome: 'failed', error: { code: 'effect_not_started' }, nextAttempt: 2 });
  });

  test('one that began and was never heard of again has an unknown outcome', () => {
    const [draft] = when(given(created, stageRequest, started), 'timer.due', timer('run'));
    expect(draft?.data).toMatchObject({ outcome: 'unknown', error: { code: 'effect_timed_out' } });
  });

  test('a deadline of something that has moved on changes nothing', () => {
    expect(when(given(created, stageRequest, started), 'timer.due', timer('start'))).toEqual([]);
    expect(when(given(created, stageRequest, started), 'timer.due', timer('run', 2))).toEqual([]);
  });
});

test('a process that failed by itself, and that nobody recovered in time, fails its run', () => {
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

  test('is recorded, and the process unwinds before anything else', () => {
    expect(when(given(created, stageRequest), 'command.run.cancel', cancel)).toEqual([asked]);
  });

  test('what nobody has begun ends at once, when the process is through', () => {
    const state = given(created, stageRequest, asked);
    expect(typesOf(continueCancellation(state, cancelAbandonedEffects))).toEqual(['EFFECT_CANCELLED', 'RUN_CANCELLED']);
    expect(typesOf(continueCancellation(state, { ...cancelAbandonedEffects, hasEnded: false }))).toEqual([
      'EFFECT_CANCELLED',
    ]);
  });

  test('what the clean-up waits for goes on', () => {
    const state = given(created, stageRequest, asked);
    expect(continueCancellation(state, { hasEnded: false, waitsFor: (effectId) => effectId === 'e1' })).toEqual([]);
  });

  test('a running stage is waited for, until its host confirms', () => {
    const state = given(created, stageRequest, started, asked);
    expect(continueCancellation(state, cancelAbandonedEffects)).toEqual([]);
    const confirmed = when(state, 'runtime.stage.cancelled', ofStage);
    expect(confirmed).toEqual([{ type: 'EFFECT_CANCELLED', data: { effectId: 'e1', attempt: 1, confirmed: true } }]);
    expect(
      continueCancellation(given(created, stageRequest, started, asked, ...confirmed), cancelAbandonedEffects),
    ).toEqual([{ type: 'RUN_CANCELLED', data: { reason: 'changed my mind' } }]);
  });

  test('or until its grace has run out', () => {
    const state = given(created, stageRequest, started, asked);
    const grace = when(state, 'timer.due', { effectId: 'run1', attempt: 1, timer: 'grace' });
    expect(typesOf(grace)).toEqual(['EFFECT_CANCELLED', 'RUN_CANCELLED']);
  });

  test('a stage that completes or fails meanwhile gets no further attempt', () => {
    const state = given(created, stageRequest, started, asked);
    const completed = when(state, 'runtime.stage.completed', { ...ofStage, output: 'late', tree: SHA });
    expect(typesOf(completed)).toEqual(['EFFECT_RESOLVED']);
    const failed = when(state, 'runtime.stage.failed', { ...ofStage, ...failure, retryable: true });
    expect(typesOf(failed)).toEqual(['EFFECT_CANCELLED']);
  });

  test('a repeated wish, and one about a run that has ended, change nothing', () => {
    const state = given(created, stageRequest, started, asked);
    expect(when(state, 'command.run.cancel', { idempotencyKey: 'c2' })).toEqual([]);
    const ended = given(created, { type: 'RUN_COMPLETED', data: { output: null } });
    expect(when(ended, 'command.run.cancel', cancel)).toEqual([]);
  });
});

test('a run that is halted by hand says in its journal that its process did not come to that', () => {
  const halted = when(given(created, stageRequest), 'command.run.halt', { idempotencyKey: 'h', reason: 'r' });
  expect(halted).toMatchObject([
    { type: 'EFFECT_CANCELLED', data: { effectId: 'e1', confirmed: false } },
    { type: 'PROCESS_LOG', data: { label: 'run:halt', message: { reason: 'r' } } },
    { type: 'RUN_HALTED', data: { reason: 'r' } },
  ]);
});

test('a question is answered once', () => {
  const asks: EntryDraft = { type: 'EFFECT_WAITING', data: { effectId: 'e1', reason: 'user', question: 'which?' } };
  const state = given(created, stageRequest, started, asks);
  const answer = { idempotencyKey: 'a1', effectId: 'e1', answer: 'this' };
  const drafts = when(state, 'command.run.answer', answer);
  expect(drafts).toEqual([{ type: 'EFFECT_ANSWERED', data: { effectId: 'e1', answer: 'this' } }]);
  expect(when(given(created, stageRequest, started, asks, ...drafts), 'command.run.answer', answer)).toEqual([]);
});

describe('signals that nobody waits for yet', () => {
  const early = (n: number, name = 'go'): EntryDraft => ({
    type: 'SIGNAL_RECEIVED',
    data: { name, payload: n, idempotencyKey: `s${n}` },
  });
  const signal = (state: RunState, name = 'go') =>
    when(state, 'command.signal', { name, payload: 1, idempotencyKey: 'one-more' });
  const many = Array.from({ length: MAX_EARLY_SIGNALS }, (_, n) => early(n, n % 2 === 0 ? 'go' : 'stop'));

  test('are kept up to a bound', () => {
    expect(signal(given(created, ...many.slice(1)))).toMatchObject([{ type: 'SIGNAL_RECEIVED' }]);
    expect(() => signal(given(created, ...many))).toThrow(expect.objectContaining({ code: 'signals_full' }));
    // It is no fault of the repeated one that the room is full.
    expect(when(given(created, ...many), 'command.signal', { name: 'go', idempotencyKey: 's0' })).toEqual([]);
  });

  test('make room when the process has taken them, and never keep one from who waits', () => {
    const waits = requested('e1', 'signal', { name: 'go' });
    const [received, resolved] = signal(given(created, ...many, requested('e1', 'signal', { name: 'other' })), 'other');
    expect([received?.type, resolved?.type]).toEqual(['SIGNAL_RECEIVED', 'EFFECT_RESOLVED']);
    expect(signal(given(created, ...many, waits), 'stop')).toMatchObject([{ type: 'SIGNAL_RECEIVED' }]);
  });
});
