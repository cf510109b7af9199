import { describe, expect, test } from '@jest/globals';
import { type AnyEvent, problemsOfEvent } from '@reins/contracts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import { AT, CREATED, draft, JournalBuilder, RUN } from '../testing/journals.ts';
import { factsOf } from './facts-of.ts';

const BARE = { id: 'bare-run', codeHash: 'none' };
const PROCESS = { id: 'process/main.ts#ship', codeHash: 'c' };
const BUILT_IN = { id: 'pipeline', codeHash: 'v1' };
const bare = { ...CREATED, data: { ...CREATED.data, process: BARE, assignBy: AT } } as EntryDraft;
const assigned = draft('PROCESS_ASSIGNED', {
  process: PROCESS,
  previous: BARE,
  inputs: 2,
  metadata: { model: 'm' },
  idempotencyKey: 'a1',
});

/** The facts of the last of these entries. */
function factsOfLast(...drafts: EntryDraft[]): AnyEvent[] {
  const journal = new JournalBuilder().add(bare, ...drafts);
  const bodies = factsOf(journal.state, journal.entries.at(-1) as Entry).map(({ body }) => body);
  expect(bodies.flatMap((body) => problemsOfEvent(body))).toEqual([]);
  return bodies;
}

const WAITING = { type: 'runtime.request.waiting', reason: 'process', effectId: RUN.runId, expiresAt: AT };

describe('a request without a process', () => {
  test('waits for one from its beginning', () => {
    const { state } = new JournalBuilder().add(bare);
    expect(state).toMatchObject({ status: 'waiting', assignBy: AT, waiting: new Map([[RUN.runId, 'process']]) });
    expect(factsOfLast()).toMatchObject([
      { type: 'runtime.request.started' },
      WAITING,
      { type: 'control.directive.emitted', directive: 'wait', reason: 'the run has no process yet' },
    ]);
  });

  test('resumes when a process is assigned, with the assigned inputs and metadata', () => {
    const { state } = new JournalBuilder().add(bare, assigned);
    expect(state).toMatchObject({ status: 'running', process: PROCESS, inputs: 2, metadata: { model: 'm' } });
    expect([state.assignBy, state.waiting.size, state.commands.has('a1')]).toEqual([undefined, 0, true]);
    expect(factsOfLast(assigned)).toMatchObject([
      { type: 'runtime.request.resumed', effectId: RUN.runId },
      {
        directive: 'continue',
        reason: `process ${PROCESS.id} was assigned to the run`,
        extra: { process: PROCESS.id },
      },
    ]);
  });

  test('names who assigned corrected code, and why', () => {
    const broken = draft('PROCESS_RUNTIME_ERROR', { error: { code: 'process_failed', message: 'm' }, expiresAt: AT });
    const about = { requestedBy: 'ann (team)', reason: 'a typo' };
    const code = { from: 'a', to: 'b', revision: 'c'.repeat(64), idempotencyKey: 'a3', ...about };
    expect(factsOfLast(assigned, broken, draft('PROCESS_CODE_CHANGED', code))).toMatchObject([
      { type: 'runtime.request.resumed', effectId: RUN.runId },
      {
        directive: 'continue',
        extra: { process: PROCESS.id, corrected: true, requested_by: 'ann (team)', reason: 'a typo' },
      },
    ]);
  });

  test('resumes once: a forced assignment has facts only if the run was waiting', () => {
    const forced = draft('PROCESS_ASSIGNED', {
      process: BUILT_IN,
      previous: PROCESS,
      force: true,
      idempotencyKey: 'a2',
    });
    expect(factsOfLast(assigned, forced)).toEqual([]);
    const broken = draft('PROCESS_RUNTIME_ERROR', { error: { code: 'process_failed', message: 'm' }, expiresAt: AT });
    expect(factsOfLast(assigned, broken, forced)).toMatchObject([
      { type: 'runtime.request.resumed', effectId: RUN.runId },
      { directive: 'continue' },
    ]);
  });

  test('that is paused waits for an operator, and then for its process again', () => {
    const paused = draft('RUN_PAUSED', { idempotencyKey: 'p' });
    const runResumed = draft('RUN_RESUMED', { idempotencyKey: 'r' });
    expect(factsOfLast(paused)[0]).toMatchObject({ type: 'runtime.request.waiting', reason: 'operator' });
    expect(factsOfLast(paused, runResumed)).toMatchObject([
      { type: 'runtime.request.resumed' },
      { directive: 'continue' },
      WAITING,
    ]);
    expect(factsOfLast(paused, assigned)).toEqual([]);
    const { state } = new JournalBuilder().add(bare, paused, assigned);
    expect(state).toMatchObject({ status: 'waiting', waiting: new Map([[RUN.runId, 'operator']]) });
    expect(factsOfLast(paused, assigned, runResumed)).toHaveLength(2);
  });
});
