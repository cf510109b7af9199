import { describe, expect, test } from '@jest/globals';
import { type EntryDraft } from '../entries/entry.ts';
import { ERROR, factsOfLast, inShort, requested } from '../testing/facts.ts';
import { AT, draft, EXAMPLES, RUN, requestedDraft } from '../testing/journals.ts';

describe('the facts of waits', () => {
  test('the executor asks a question and gets an answer', () => {
    const question = draft('EFFECT_WAITING', { effectId: 'e1', reason: 'user', question: 'which?', expiresAt: AT });
    expect(inShort(factsOfLast(requested('stage'), question))).toEqual([
      'runtime.stage.waiting',
      'runtime.request.waiting',
      'execution wait',
    ]);
    const answer = draft('EFFECT_ANSWERED', { effectId: 'e1', answer: 'this' });
    expect(inShort(factsOfLast(requested('stage'), question, answer))).toEqual([
      'runtime.request.resumed',
      'execution continue',
    ]);
  });

  test('a stage says why it waits, and what its wait concerns', () => {
    const waiting = { effectId: 'e1', question: 'may I?', expiresAt: AT };
    const forBudget = draft('EFFECT_WAITING', { ...waiting, reason: 'budget', subject: 'budget-1' });
    expect(factsOfLast(requested('stage'), forBudget)[0]).toMatchObject({ reason: 'budget', subject: 'budget-1' });
    const withoutSubject = draft('EFFECT_WAITING', { ...waiting, reason: 'user' });
    const [fact] = factsOfLast(requested('stage'), withoutSubject);
    expect(fact).toMatchObject({ type: 'runtime.stage.waiting', reason: 'user' });
    expect(fact).not.toHaveProperty('subject');
  });

  test('a cancelled effect', () => {
    const cancelled = draft('EFFECT_CANCELLED', { effectId: 'e1', attempt: 1, confirmed: true });
    expect(inShort(factsOfLast(requested('stage'), cancelled))).toEqual(['runtime.stage.cancelled']);
    expect(factsOfLast(requested('plan'), cancelled)).toEqual([]);
    const why = { error: { code: 'effect_cancelled', message: 'not needed' } };
    const reasoned = draft('EFFECT_CANCELLED', { effectId: 'e1', attempt: 1, confirmed: false, reason: 'not needed' });
    expect(factsOfLast(requested('task'), reasoned)).toMatchObject([{ type: 'runtime.task.failed', ...why }]);
    const resumption = [
      { type: 'runtime.request.resumed', effectId: 'e1' },
      { directive: 'continue', reason: 'not needed' },
    ];
    expect(factsOfLast(requested('child'), reasoned)).toMatchObject([
      { type: 'runtime.child.failed', ...why },
      ...resumption,
    ]);
    expect(factsOfLast(requested('breakpoint'), reasoned)).toMatchObject([
      { type: 'runtime.approval.resolved', decision: 'expired', comment: 'not needed' },
      ...resumption,
    ]);
    expect(factsOfLast(requested('sleep'), reasoned)).toMatchObject(resumption);
    // A run that is being cancelled does not resume.
    const cancel = draft('RUN_CANCEL_REQUESTED', { idempotencyKey: 'c' });
    expect(factsOfLast(requested('sleep'), cancel, reasoned)).toEqual([]);
  });

  test('a question that still waits is published again with its number', () => {
    const stage = requestedDraft('e0', 'stage', EXAMPLES.stage.request);
    const asks = draft('EFFECT_WAITING', { effectId: 'e0', reason: 'user', question: 'which?', questionNumber: 7 });
    const go = draft('SIGNAL_RECEIVED', { name: 'go', effectId: 'e1' });
    expect(factsOfLast(stage, asks)).toMatchObject([{ questionNumber: 7 }, { questionNumber: 7 }, {}]);
    expect(factsOfLast(stage, asks, requested('signal'), go).at(-1)).toMatchObject({
      effectId: 'e0',
      questionNumber: 7,
    });
  });

  test.each([
    ['signal', 'signal go', 'signal go: green light'],
    ['child', 'child run 01CHILD', 'child run 01CHILD: green light'],
    ['sleep', 'the time 2026-01-31T12:00:00.000Z', 'green light'],
  ] as const)('the label of a %s is in its wait', (kind, unlabelled, message) => {
    const drafted = requested(kind);
    const labelled = { ...drafted, data: { ...drafted.data, label: 'green light' } } as EntryDraft;
    const waitOf = (one: EntryDraft) => factsOfLast(one).find(({ type }) => type === 'runtime.request.waiting');
    expect(waitOf(drafted)).toMatchObject({ message: unlabelled });
    expect(waitOf(drafted)).not.toHaveProperty('label');
    expect(waitOf(labelled)).toMatchObject({ message, label: 'green light' });
  });

  test('one of several waits ends: the run resumes, and a remaining wait is published again', () => {
    const { request } = EXAMPLES.sleep;
    const waits = [requestedDraft('e0', 'sleep', { ...request, expiresAt: AT }), requested('signal')];
    const still = { type: 'runtime.request.waiting', reason: 'timer', effectId: 'e0', expiresAt: AT };
    const resumption = [{ type: 'runtime.request.resumed', effectId: 'e1' }, { directive: 'continue' }, still];
    expect(factsOfLast(...waits, draft('SIGNAL_RECEIVED', { name: 'go', effectId: 'e1' }))).toMatchObject(resumption);
    const cancelled = draft('EFFECT_CANCELLED', { effectId: 'e1', attempt: 1, confirmed: true });
    expect(factsOfLast(...waits, cancelled)).toMatchObject(resumption);
    const held = draft('PROCESS_RUNTIME_ERROR', { error: ERROR, expiresAt: AT });
    expect(factsOfLast(requested('signal'), held, cancelled).at(-1)).toMatchObject({
      type: 'runtime.request.waiting',
      reason: 'operator',
      effectId: RUN.runId,
      expiresAt: AT,
    });
  });

  test('signals and approvals', () => {
    expect(factsOfLast(draft('SIGNAL_RECEIVED', { name: 'go' }))).toMatchObject([
      { type: 'runtime.signal.kept', signal: 'go' },
    ]);
    expect(inShort(factsOfLast(requested('signal'), draft('SIGNAL_RECEIVED', { name: 'go', effectId: 'e1' })))).toEqual(
      ['runtime.request.resumed', 'execution continue'],
    );
    const approved = { approvalId: 'ap1', decision: 'approved', decidedBy: 'ann' } as const;
    expect(inShort(factsOfLast(draft('APPROVAL_RESOLVED', approved)))).toEqual(['runtime.approval.resolved']);
    expect(
      inShort(factsOfLast(requested('breakpoint'), draft('APPROVAL_RESOLVED', { ...approved, effectId: 'e1' }))),
    ).toEqual(['runtime.approval.resolved', 'runtime.request.resumed', 'execution continue']);
  });

  test('every wait says in words what the run waits for', () => {
    const words = (...drafts: EntryDraft[]) =>
      factsOfLast(...drafts).flatMap((event) => (event.type === 'runtime.request.waiting' ? [event] : []));
    const { request } = EXAMPLES.breakpoint;
    const subject = { kind: 'breakpoint', label: 'review', detail: { payload: { question: 'Ship it?' } } };
    expect(words(requestedDraft('e1', 'breakpoint', { ...request, subject }))).toMatchObject([{ message: 'Ship it?' }]);
    expect(words(requestedDraft('e1', 'signal', { name: 'go' }))).toMatchObject([
      { message: 'signal go', signal: 'go' },
    ]);
    expect(words(requested('sleep'))).toMatchObject([{ message: expect.stringMatching(/^the time 2/) }]);
    expect(words(requested('child'))).toMatchObject([{ message: expect.stringMatching(/^child run /) }]);
    expect(words(draft('RUN_PAUSED', { idempotencyKey: 'p', reason: 'lunch' }))).toMatchObject([{ message: 'lunch' }]);
    const error = { code: 'process_failed', message: 'it broke', path: 'process/main.js:4:36' };
    const broken = draft('PROCESS_RUNTIME_ERROR', { error, expiresAt: AT });
    expect(words(broken)).toMatchObject([{ message: 'process/main.js:4:36: it broke' }]);
  });

  test('an operator pauses the run, resumes it, and invalidates an effect', () => {
    const paused = draft('RUN_PAUSED', { idempotencyKey: 'p', reason: 'lunch' });
    expect(factsOfLast(paused)).toMatchObject([
      { type: 'runtime.request.waiting', reason: 'operator', effectId: RUN.runId },
      { directive: 'wait', reason: 'lunch' },
    ]);
    const resumption = ['runtime.request.resumed', 'execution continue'];
    expect(inShort(factsOfLast(paused, draft('RUN_RESUMED', { idempotencyKey: 'r' })))).toEqual(resumption);
    const again = draft('EFFECT_INVALIDATED', { effectId: 'e1', idempotencyKey: 'i' });
    expect(inShort(factsOfLast(requested('plan'), again))).toEqual(resumption);
  });

  test('a pause that outlasts another wait is published again with its reason', () => {
    const paused = draft('RUN_PAUSED', { idempotencyKey: 'p', reason: 'lunch' });
    const go = draft('SIGNAL_RECEIVED', { name: 'go', effectId: 'e1' });
    expect(factsOfLast(requested('signal'), paused, go).at(-1)).toMatchObject({ reason: 'operator', message: 'lunch' });
  });

  test('who paused, resumed or answered is in the directive', () => {
    const paused = draft('RUN_PAUSED', { idempotencyKey: 'p', requestedBy: 'ann' });
    expect(factsOfLast(paused).at(-1)).toMatchObject({ directive: 'wait', extra: { requested_by: 'ann' } });
    const resumed = draft('RUN_RESUMED', { idempotencyKey: 'r', requestedBy: 'bob' });
    expect(factsOfLast(paused, resumed)[1]).toMatchObject({ directive: 'continue', extra: { requested_by: 'bob' } });
    const question = draft('EFFECT_WAITING', { effectId: 'e1', reason: 'user', question: 'which?' });
    const answer = draft('EFFECT_ANSWERED', { effectId: 'e1', answer: 'this', answeredBy: 'ann' });
    expect(factsOfLast(requested('stage'), question, answer)[1]).toMatchObject({ extra: { answered_by: 'ann' } });
  });

  test('a process error waits for an operator', () => {
    const events = factsOfLast(draft('PROCESS_RUNTIME_ERROR', { error: ERROR, expiresAt: AT }));
    expect(events).toMatchObject([
      { type: 'runtime.request.waiting', reason: 'operator', effectId: RUN.runId, expiresAt: AT },
      { directive: 'wait' },
    ]);
  });
});
