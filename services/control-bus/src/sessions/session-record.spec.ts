import { describe, expect, test } from '@jest/globals';
import type { JsonObject, SessionRecord } from '@reins/contracts';
import { applyEntry, type EntryDraft, emptyRun, type RunState, sealEntries } from '@reins/journal';
import { EMPTY_SESSION, enter, leave, QUEUE_LIMIT } from './session-record.ts';

const SHA = 'a'.repeat(64);
const TREE = 'b'.repeat(64);

/** The session after these requests were added. */
const session = (...requestIds: string[]): SessionRecord => requestIds.reduce(enteredBy, EMPTY_SESSION);

function enteredBy(record: SessionRecord, requestId: string): SessionRecord {
  const entered = enter(record, { requestId });
  return 'record' in entered ? entered.record : record;
}

const created = (session: SessionRecord['state'] = {}): EntryDraft => ({
  type: 'RUN_CREATED',
  data: {
    ...{ workspaceId: 'ws', sessionId: 's', agentId: 'main', revision: SHA, session, idempotencyKey: 'k' },
    process: { id: 'p', codeHash: 'c' },
    inputs: { input: 'ask' },
  },
});

/** A run that executed once, with this end. */
function ended(runId: string, end: EntryDraft, session: SessionRecord['state'] = {}, more: JsonObject = {}): RunState {
  const limits = { startWithinMs: 1, runForMs: 1, maxAttempts: 1, onUnknown: 'fail' } as const;
  const request = { stage: 'execute', runtimeId: 'pi', runtimeSource: 'default' };
  const value = { output: 'done', tree: TREE, harnessSessionId: 'native-1', ...more };
  const drafts: EntryDraft[] = [
    created(session),
    {
      type: 'EFFECT_REQUESTED',
      data: { effectId: 'e', kind: 'stage', attempt: 1, key: 'k', argsHash: SHA, request, limits },
    },
    { type: 'EFFECT_RESOLVED', data: { effectId: 'e', attempt: 1, status: 'ok', value } },
    end,
  ];
  const state = emptyRun({ workspaceId: 'ws', runId });
  for (const entry of sealEntries(state.head, drafts, '2026-01-01T00:00:00.000Z')) applyEntry(state, entry);
  return state;
}

const completed = (runId: string, session?: SessionRecord['state']): RunState =>
  ended(runId, { type: 'RUN_COMPLETED', data: { output: 'done' } }, session);

const failed = (runId: string, session?: SessionRecord['state']): RunState =>
  ended(runId, { type: 'RUN_FAILED', data: { error: { code: 'x', message: 'y' } } }, session);

describe('one running request per session', () => {
  test('the first request runs, others are queued in order, and a repeat changes nothing', () => {
    const record = session('r1', 'r2', 'r3', 'r2', 'r1');
    expect(record.running?.requestId).toBe('r1');
    expect(record.queued.map(({ requestId }) => requestId)).toEqual(['r2', 'r3']);
  });

  test('when a request ends, the next one runs once', () => {
    const after = leave(session('r1', 'r2', 'r3'), completed('r1'));
    expect(after.running?.requestId).toBe('r2');
    expect(after.queued.map(({ requestId }) => requestId)).toEqual(['r3']);
    expect(leave(after, completed('r1'))).toBe(after);
  });

  test('a request that is cancelled while it is queued leaves the queue', () => {
    const record = session('r1', 'r2', 'r3');
    const after = leave(record, completed('r2'));
    expect(after.queued.map(({ requestId }) => requestId)).toEqual(['r3']);
    expect(after.running?.requestId).toBe('r1');
    expect(leave(record, completed('r9'))).toBe(record);
  });

  test('a submit that is repeated after its end takes no place', () => {
    const after = leave(session('r1', 'r2'), completed('r1'));
    expect(enter(after, { requestId: 'r1' })).toEqual({ status: 'running', record: after });
    const later = leave(after, completed('r2', after.state));
    expect(enter(later, { requestId: 'r1' })).toEqual({ status: 'running', record: later });
  });

  test('neither does one that failed earlier, or was cancelled while it was queued', () => {
    const first = leave(leave(session('r1', 'r2'), failed('r2')), failed('r1'));
    const later = leave(enteredBy(first, 'r3'), completed('r3', first.state));
    for (const requestId of ['r1', 'r2'])
      expect(enter(later, { requestId })).toEqual({ status: 'running', record: later });
    const much = Array.from({ length: 200 }, (_, n) => `more-${n}`).reduce(
      (record, id) => leave(enteredBy(record, id), failed(id, record.state)),
      later,
    );
    expect(much.left).toHaveLength(100);
    expect(much.left?.at(-1)).toBe('more-199');
  });

  test('a forgotten request takes a place and releases it, without changing the session state', () => {
    const first = leave(session('r1'), failed('r1'));
    const { left: _, ...later } = leave(enteredBy(first, 'r2'), completed('r2', first.state));
    const again = enteredBy(enteredBy(later, 'r1'), 'r3');
    expect(again).toMatchObject({ running: { requestId: 'r1' }, queued: [{ requestId: 'r3' }] });
    const handedOn = { state: later.state, queued: [], left: ['r1'], running: { requestId: 'r3' } };
    expect(leave(again, failed('r1'))).toEqual(handedOn);
  });

  test('the queue has a maximum length', () => {
    const full = session(...Array.from({ length: QUEUE_LIMIT + 1 }, (_, index) => `r${index}`));
    expect(enter(full, { requestId: 'one-more' })).toEqual({ status: 'full' });
  });
});

describe('session state', () => {
  test('a completed run adds its tree, its executors’ sessions and its turn', () => {
    expect(leave(session('r1'), completed('r1')).state).toEqual({
      lastRequestId: 'r1',
      lastRun: { requestId: 'r1', status: 'completed', endedAt: '2026-01-01T00:00:00.000Z' },
      revision: SHA,
      tree: TREE,
      stageSessions: [
        { agentId: 'main', stage: 'execute', runtimeId: 'pi', harnessSessionId: 'native-1', requestId: 'r1' },
      ],
      turns: [{ requestId: 'r1', input: 'ask', output: 'done', endedAt: '2026-01-01T00:00:00.000Z' }],
    });
  });

  test('the next request gets what the stages of the last completed run left', () => {
    const handoff = { openSteps: ['Paint'] };
    const end = { type: 'RUN_COMPLETED', data: { output: 'done' } } as const;
    const first = leave(session('r1'), ended('r1', end, {}, { handoff }));
    const left = [{ stage: 'execute', runtimeId: 'pi', requestId: 'r1', handoff }];
    expect(first.state.endedStages).toEqual(left);
    const failing = leave(enteredBy(first, 'r2'), failed('r2', first.state));
    expect(failing.state.endedStages).toEqual(left);
    expect(leave(enteredBy(failing, 'r3'), completed('r3', failing.state)).state.endedStages).toBeUndefined();
  });

  test('older turns are compacted into a boundary of limited length', () => {
    let record = EMPTY_SESSION;
    const after = (count: number): typeof record.state => {
      for (let n = 0; n < count; n += 1)
        record = leave({ ...session('r1'), state: record.state }, completed('r1', record.state));
      return record.state;
    };
    expect(after(20).compactionBoundary).toBeUndefined();
    expect(after(1).compactionBoundary).toBe('In earlier turns the user asked:\n- ask');
    const later = after(600);
    expect(later.turns).toHaveLength(20);
    expect(later.compactionBoundary?.length).toBeLessThanOrEqual(2_000);
    expect(later.compactionBoundary).toMatch(/^In earlier turns the user asked:\n(- ask\n?)+$/);
  });

  test('a run that ended before its question was answered adds the question', () => {
    const limits = { startWithinMs: 1, runForMs: 1, maxAttempts: 1, onUnknown: 'fail' } as const;
    const request = { stage: 'execute', runtimeId: 'pi', runtimeSource: 'default' };
    const effect = { effectId: 'q', kind: 'stage', attempt: 1, key: 'q', argsHash: SHA, request, limits } as const;
    const expiresAt = '2026-01-01T01:00:00.000Z';
    const question = { question: 'Which file?' };
    const state = emptyRun({ workspaceId: 'ws', runId: 'r1' });
    const apply = (to: RunState, ...drafts: EntryDraft[]) => {
      for (const entry of sealEntries(to.head, drafts, '2026-01-01T00:00:00.000Z')) applyEntry(to, entry);
    };
    const asked = { effectId: 'q', reason: 'user', subject: 'q', question, questionNumber: 1, expiresAt } as const;
    apply(state, created(), { type: 'EFFECT_REQUESTED', data: effect }, { type: 'EFFECT_WAITING', data: asked });
    const answered = structuredClone(state);
    const error = { code: 'question_expired', message: 'x' };
    apply(state, { type: 'RUN_FAILED', data: { error } });
    expect(leave(session('r1'), state).state.lastRun).toMatchObject({ status: 'failed', question: 'Which file?' });
    const answer = { effectId: 'q', answer: 'a.txt', idempotencyKey: 'a' };
    apply(answered, { type: 'EFFECT_ANSWERED', data: answer }, { type: 'RUN_FAILED', data: { error } });
    expect(leave(session('r1'), answered).state.lastRun).not.toHaveProperty('question');
  });

  test('a failed run adds only its status and the reason', () => {
    expect(leave(session('r1'), failed('r1')).state).toEqual({
      lastRequestId: 'r1',
      lastRun: { requestId: 'r1', status: 'failed', reason: 'y', endedAt: '2026-01-01T00:00:00.000Z' },
    });
  });
});
