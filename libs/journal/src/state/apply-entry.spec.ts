import { describe, expect, test } from '@jest/globals';
import { ENTRY_TYPES } from '@reins/contracts';
import fc from 'fast-check';
import { decodeCommit, encodeCommit } from '../entries/commit-codec.ts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import {
  AT,
  BLOB,
  CREATED,
  draft,
  EXAMPLES,
  JournalBuilder,
  journals,
  RUN,
  requestedDraft,
} from '../testing/journals.ts';
import { applyEntry, foldRun } from './apply-entry.ts';
import { emptyRun, pendingEffects } from './run-state.ts';

const ERROR = { code: 'internal_error', message: 'broken' };
const newJournal = () => new JournalBuilder().add(CREATED);
const staged = () => newJournal().add(requestedDraft('e1', 'stage', EXAMPLES.stage.request));

describe('the fold', () => {
  test('gives the same state entry by entry, in one batch, and after encoding', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (entries, cut) => {
        const whole = foldRun(RUN, entries);
        const state = foldRun(RUN, entries.slice(0, cut % entries.length));
        for (const entry of entries.slice(cut % entries.length)) applyEntry(state, entry);
        expect(state).toEqual(whole);
        expect(foldRun(RUN, decodeCommit(encodeCommit({ entries, epoch: 1 })).entries)).toEqual(whole);
      }),
    );
  });

  test('pending effects have no result, and a waiting run waits for a pending effect', () => {
    fc.assert(
      fc.property(journals, (entries) => {
        const state = foldRun(RUN, entries);
        const open = [...state.effects.values()].filter(
          ({ status }) => status !== 'resolved' && status !== 'cancelled',
        );
        expect(pendingEffects(state)).toEqual(open);
        for (const id of state.waiting.keys()) expect(state.pending.has(id) || id === RUN.runId).toBe(true);
        if (!state.end && entries.length > 1) expect(state.status).toBe(state.waiting.size > 0 ? 'waiting' : 'running');
      }),
    );
  });

  test('the generator produces every entry type, or another test does', () => {
    const seen = new Set(
      fc.sample(journals, { numRuns: 400, seed: 1 }).flatMap((entries) => entries.map(({ type }) => type)),
    );
    const own = [
      'EFFECT_ANSWERED',
      'APPROVAL_RESOLVED',
      'BUDGET_EXCEEDED',
      'COST_TRACKED',
      'PROCESS_ASSIGNED',
      'EFFECT_INVALIDATED',
      'RUN_PAUSED',
      'RUN_RESUMED',
    ];
    expect(ENTRY_TYPES.filter((type) => !seen.has(type))).toEqual(ENTRY_TYPES.filter((type) => own.includes(type)));
  });

  test('a new run has its session, its process and the key of its command', () => {
    const { state } = newJournal();
    expect(state).toMatchObject({
      status: 'created',
      sessionId: 'ses',
      agentId: 'main',
      createdAt: AT,
      inputs: { input: 'hello' },
    });
    expect([...state.commands]).toEqual(['submit-1']);
  });

  test('an effect is requested, then started, then resolved', () => {
    const journal = staged();
    expect(journal.state.effects.get('e1')).toMatchObject({ status: 'requested', attempt: 1, requestedAt: AT });
    journal.add(draft('EFFECT_STARTED', { effectId: 'e1', attempt: 1, hostId: 'h1' }));
    expect(journal.state.effects.get('e1')).toMatchObject({ status: 'started', hostId: 'h1', startedAt: AT });
    journal.add(draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', value: 5 }));
    expect(journal.state.effects.get('e1')).toMatchObject({ status: 'resolved', result: { status: 'ok', value: 5 } });
    expect(pendingEffects(journal.state)).toEqual([]);
  });

  test('a large value is a reference', () => {
    const { state } = staged().add(
      draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', valueRef: BLOB }),
    );
    expect(state.effects.get('e1')?.result).toEqual({ status: 'ok', value: null, valueRef: BLOB });
  });

  test('a large request is reduced to its small fields when its effect has ended', () => {
    const request = { kind: 'node', taskId: 'work', args: { n: 1 } };
    const asked = requestedDraft('e1', 'task', request);
    const journal = newJournal().add({ ...asked, data: { ...asked.data, requestRef: BLOB } } as EntryDraft);
    const state = foldRun(RUN, journal.entries);
    for (const effect of pendingEffects(state)) effect.request = { ...effect.request, prompt: 'x'.repeat(100_000) };
    const before = journal.entries.length;
    journal.add(draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', value: 1 }));
    for (const entry of journal.entries.slice(before)) applyEntry(state, entry);
    expect(state.effects.get('e1')?.request).toEqual(request);
    expect(state).toEqual(foldRun(RUN, journal.entries));
  });

  test('a failed attempt is recorded, and the next one is requested with its changes', () => {
    const { state } = staged()
      .add(draft('EFFECT_STARTED', { effectId: 'e1', attempt: 1, hostId: 'h1' }))
      .add(
        draft('EFFECT_ATTEMPT_FAILED', {
          effectId: 'e1',
          attempt: 1,
          outcome: 'unknown',
          error: ERROR,
          retryable: true,
          nextAttempt: 2,
          nextRequest: { runtimeId: 'codex' },
        }),
      );
    const effect = state.effects.get('e1');
    expect(effect).toMatchObject({
      status: 'requested',
      attempt: 2,
      request: { runtimeId: 'codex', stage: 'execute' },
    });
    expect(effect?.failures).toEqual([{ attempt: 1, outcome: 'unknown', error: ERROR }]);
    expect(effect).not.toHaveProperty('hostId');
  });

  test('an executor with a question suspends the run until it is answered', () => {
    const journal = staged()
      .add(draft('EFFECT_STARTED', { effectId: 'e1', attempt: 1 }))
      .add(draft('EFFECT_WAITING', { effectId: 'e1', reason: 'user', question: 'which?' }));
    expect(journal.state).toMatchObject({ status: 'waiting', waiting: new Map([['e1', 'user']]) });
    journal.add(draft('EFFECT_ANSWERED', { effectId: 'e1', answer: 'this' }));
    expect(journal.state.status).toBe('running');
    expect(journal.state.effects.get('e1')?.status).toBe('started');
  });

  test('a question says that its executor has started, if it overtakes the message that says so', () => {
    const { state } = staged()
      .add(draft('EFFECT_CLAIMED', { effectId: 'e1', attempt: 1, hostId: 'h1' }))
      .add(draft('EFFECT_WAITING', { effectId: 'e1', reason: 'user', question: 'which?' }))
      .add(draft('EFFECT_ANSWERED', { effectId: 'e1', answer: 'this' }));
    expect(state.effects.get('e1')?.status).toBe('started');
  });

  test('an approval of a tool resumes the stage', () => {
    const { state } = staged()
      .add(draft('EFFECT_WAITING', { effectId: 'e1', reason: 'approval', question: null }))
      .add(draft('APPROVAL_RESOLVED', { approvalId: 'a', effectId: 'e1', decision: 'approved', decidedBy: 'ann' }));
    expect(state.status).toBe('running');
  });

  test.each(['sleep', 'signal', 'breakpoint', 'child'] as const)(
    'a %s suspends the run until it is resolved',
    (kind) => {
      const journal = newJournal().add(requestedDraft('e1', kind, EXAMPLES[kind].request));
      expect(journal.state.status).toBe('waiting');
      journal.add(draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok' }));
      expect(journal.state.status).toBe('running');
    },
  );

  test('a process error waits for an operator until the process can request something again', () => {
    const journal = newJournal().add(draft('PROCESS_RUNTIME_ERROR', { error: ERROR, effectId: 'e9', expiresAt: AT }));
    expect(journal.state).toMatchObject({ status: 'waiting', processError: { effectId: 'e9', expiresAt: AT } });
    journal.add(requestedDraft('e1', 'step', {}));
    expect(journal.state.status).toBe('running');
    expect(journal.state).not.toHaveProperty('processError');
  });

  test('counts stages by name', () => {
    const { state } = staged().add(
      requestedDraft('e2', 'stage', EXAMPLES.stage.request),
      requestedDraft('e3', 'stage', { ...EXAMPLES.stage.request, stage: 'evaluate' }),
    );
    expect(state.stageRequests).toEqual({ execute: 2, evaluate: 1 });
  });

  test('records command keys, and keeps the first reason to cancel', () => {
    const { state } = newJournal()
      .add(draft('RUN_CANCEL_REQUESTED', { reason: 'first', idempotencyKey: 'c1' }))
      .add(draft('RUN_CANCEL_REQUESTED', { reason: 'second', idempotencyKey: 'c2' }));
    expect(state.cancelRequested).toMatchObject({ reason: 'first' });
    expect([...state.commands]).toEqual(['submit-1', 'c1', 'c2']);
  });

  test('a bare run gets its process and its inputs', () => {
    const { state } = newJournal().add(
      draft('PROCESS_ASSIGNED', { process: { id: 'p#main', codeHash: 'x' }, inputs: 2 }),
    );
    expect(state).toMatchObject({ process: { id: 'p#main', codeHash: 'x' }, inputs: 2 });
  });

  test('notes change nothing except the head', () => {
    const journal = staged();
    const { head: _, ...before } = structuredClone(journal.state);
    journal.add(
      draft('EFFECT_PROGRESS', { effectId: 'e1', percent: 10 }),
      draft('COST_TRACKED', {
        effectId: 'e1',
        stage: 'execute',
        runtimeId: 'pi',
        usage: { inputTokens: 1, outputTokens: 1 },
      }),
      draft('BUDGET_EXCEEDED', { budget: 'cost', limit: 1, used: 2, action: 'pause' }),
      draft('PROCESS_LOG', { message: 'm' }),
    );
    const { head, ...after } = journal.state;
    expect(after).toEqual(before);
    expect(head.version).toBe(6);
  });

  test.each([
    [draft('RUN_COMPLETED', { output: 1 }), { status: 'completed', output: 1, endedAt: AT }],
    [draft('RUN_FAILED', { error: ERROR }), { status: 'failed', error: ERROR, endedAt: AT }],
    [draft('RUN_CANCELLED', { reason: 'r' }), { status: 'cancelled', reason: 'r', endedAt: AT }],
    [draft('RUN_HALTED', { reason: 'r', payload: 2 }), { status: 'halted', reason: 'r', payload: 2, endedAt: AT }],
  ])('an ended run has its end: %j', (end, expected) => {
    const { state } = newJournal().add(end);
    expect(state).toMatchObject({ status: expected.status, end: expected });
  });

  test('a stub alone has the end of the run and the reference to its entries', () => {
    const [stub] = archivedStub();
    const state = foldRun(RUN, [stub]);
    expect(state).toMatchObject({ status: 'halted', archive: BLOB, head: { version: 3, hash: stub.hash } });
  });
});

function archivedStub(): [Entry] {
  const journal = newJournal().add(draft('RUN_HALTED', {}));
  const headHash = journal.state.head.hash;
  journal.add(draft('RUN_ARCHIVED', { archiveRef: BLOB, headHash, terminalType: 'RUN_HALTED' }));
  return [journal.entries[2] as Entry];
}

describe('an invalid next entry', () => {
  const cases: [string, () => JournalBuilder, readonly EntryDraft[], RegExp][] = [
    ['a second creation', newJournal, [CREATED], /already exists/],
    [
      'an entry before the creation',
      () => new JournalBuilder(),
      [draft('PROCESS_LOG', { message: 1 })],
      /must be RUN_CREATED/,
    ],
    [
      'another workspace',
      () => new JournalBuilder(),
      [{ ...CREATED, data: { ...CREATED.data, workspaceId: 'else' } } as typeof CREATED],
      /belongs to workspace else/,
    ],
    ['a second request of one effect', staged, [requestedDraft('e1', 'stage', {})], /already requested/],
    [
      'a start before the request',
      newJournal,
      [draft('EFFECT_STARTED', { effectId: 'e1', attempt: 1 })],
      /never requested/,
    ],
    [
      'a result before the request',
      newJournal,
      [draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok' })],
      /never requested/,
    ],
    [
      'a result of another attempt',
      staged,
      [draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 2, status: 'ok' })],
      /attempt 2 .* at attempt 1/,
    ],
    [
      'an error without its error',
      staged,
      [draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'error' })],
      /has no error/,
    ],
    [
      'an answer without a question',
      staged,
      [draft('EFFECT_ANSWERED', { effectId: 'e1', answer: 1 })],
      /not waiting for an answer/,
    ],
    ['progress of an unknown effect', newJournal, [draft('EFFECT_PROGRESS', { effectId: 'e1' })], /never requested/],
    [
      'a signal for an unknown effect',
      newJournal,
      [draft('SIGNAL_RECEIVED', { name: 's', effectId: 'e1' })],
      /never requested/,
    ],
    [
      'a skipped attempt',
      staged,
      [
        draft('EFFECT_ATTEMPT_FAILED', {
          effectId: 'e1',
          attempt: 1,
          outcome: 'failed',
          error: ERROR,
          retryable: true,
          nextAttempt: 3,
        }),
      ],
      /cannot follow/,
    ],
    [
      'an entry after the end',
      () => newJournal().add(draft('RUN_CANCELLED', {})),
      [draft('PROCESS_LOG', { message: 1 })],
      /already ended \(cancelled\)/,
    ],
    [
      'a second end',
      () => newJournal().add(draft('RUN_CANCELLED', {})),
      [draft('RUN_COMPLETED', { output: 1 })],
      /already ended/,
    ],
    [
      'the archive stub of a live run',
      newJournal,
      [
        draft('RUN_ARCHIVED', {
          archiveRef: BLOB,
          headHash: newJournal().state.head.hash,
          terminalType: 'RUN_COMPLETED',
        }),
      ],
      /has not ended/,
    ],
  ];
  test.each(cases)('%s', (_, journal, drafts, says) => {
    const builder = journal();
    const before = structuredClone(builder.state);
    expect(() => builder.add(...drafts)).toThrow(says);
    expect(builder.state).toEqual(before);
  });

  test('a second result', () => {
    const result = draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok' });
    expect(() => staged().add(result).add(result)).toThrow(/is already resolved/);
    expect(() =>
      staged()
        .add(draft('EFFECT_CANCELLED', { effectId: 'e1', attempt: 1, confirmed: false }))
        .add(result),
    ).toThrow(/is already cancelled/);
  });

  test('a gap, and a broken chain', () => {
    const [first, second] = newJournal().add(draft('PROCESS_LOG', { message: 1 })).entries as [Entry, Entry];
    const state = foldRun(RUN, [first]);
    expect(() => applyEntry(state, { ...second, version: 3 })).toThrow(
      /its version is 3, but the previous version is 1/,
    );
    expect(() => applyEntry(state, { ...second, prev: second.hash })).toThrow(/hash of the previous entry/);
    expect(() => applyEntry(emptyRun(RUN), second)).toThrow(
      expect.objectContaining({ path: 'entries[2]', code: 'journal_corrupt' }),
    );
  });
});
