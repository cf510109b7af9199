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

/** What is told because of the last of these entries. */
function told(...drafts: EntryDraft[]): AnyEvent[] {
  const journal = new JournalBuilder().add(bare, ...drafts);
  const bodies = factsOf(journal.state, journal.entries.at(-1) as Entry).map(({ body }) => body);
  expect(bodies.flatMap((body) => problemsOfEvent(body))).toEqual([]);
  return bodies;
}

const WAITING = { type: 'runtime.request.waiting', reason: 'process', effectId: RUN.runId, expiresAt: AT };

describe('a request without a process', () => {
  test('waits for one, and says so from its beginning', () => {
    const { state } = new JournalBuilder().add(bare);
    expect(state).toMatchObject({ status: 'waiting', assignBy: AT, waiting: new Map([[RUN.runId, 'process']]) });
    expect(told()).toMatchObject([
      { type: 'runtime.request.started' },
      WAITING,
      { type: 'control.directive.emitted', directive: 'wait', reason: 'the run has no process yet' },
    ]);
  });

  test('goes on when it is given one, with the inputs and the words that are given along', () => {
    const { state } = new JournalBuilder().add(bare, assigned);
    expect(state).toMatchObject({ status: 'running', process: PROCESS, inputs: 2, metadata: { model: 'm' } });
    expect([state.assignBy, state.waiting.size, state.commands.has('a1')]).toEqual([undefined, 0, true]);
    expect(told(assigned)).toMatchObject([
      { type: 'runtime.request.resumed', effectId: RUN.runId },
      { directive: 'continue', reason: `the run has the process ${PROCESS.id}` },
    ]);
  });

  test('goes on once: another process by force is told only where the run stood still', () => {
    const forced = draft('PROCESS_ASSIGNED', {
      process: BUILT_IN,
      previous: PROCESS,
      force: true,
      idempotencyKey: 'a2',
    });
    expect(told(assigned, forced)).toEqual([]);
    const broken = draft('PROCESS_RUNTIME_ERROR', { error: { code: 'process_failed', message: 'm' }, expiresAt: AT });
    expect(told(assigned, broken, forced)).toMatchObject([
      { type: 'runtime.request.resumed', effectId: RUN.runId },
      { directive: 'continue' },
    ]);
  });

  test('that is paused waits for an operator, and afterwards for its process again', () => {
    const paused = draft('RUN_PAUSED', { idempotencyKey: 'p' });
    const resumed = draft('RUN_RESUMED', { idempotencyKey: 'r' });
    expect(told(paused)[0]).toMatchObject({ type: 'runtime.request.waiting', reason: 'operator' });
    expect(told(paused, resumed)).toMatchObject([
      { type: 'runtime.request.resumed' },
      { directive: 'continue' },
      WAITING,
    ]);
    expect(told(paused, assigned)).toEqual([]);
    const { state } = new JournalBuilder().add(bare, paused, assigned);
    expect(state).toMatchObject({ status: 'waiting', waiting: new Map([[RUN.runId, 'operator']]) });
    expect(told(paused, assigned, resumed)).toHaveLength(2);
  });
});
