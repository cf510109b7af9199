import { describe, expect, test } from '@jest/globals';
import { AT, CREATED, draft, EXAMPLES, JournalBuilder, requestedDraft } from '../testing/journals.ts';
import { effectiveEntries } from './effective-entries.ts';

const newJournal = () => new JournalBuilder().add(CREATED);
const task = (effectId: string) => requestedDraft(effectId, 'task', EXAMPLES.task.request);
const done = (effectId: string) => draft('EFFECT_RESOLVED', { effectId, attempt: 1, status: 'ok', value: 1 });
const invalidate = (effectId: string) => draft('EFFECT_INVALIDATED', { effectId, idempotencyKey: `i-${effectId}` });
const signal = draft('SIGNAL_RECEIVED', { name: 'go', effectId: 'e3', idempotencyKey: 's' });

describe('operator actions on a run', () => {
  test('a pause holds until the run is resumed or cancelled', () => {
    const paused = newJournal().add(draft('RUN_PAUSED', { idempotencyKey: 'p' }));
    expect(paused.state).toMatchObject({ status: 'waiting', paused: { at: AT } });
    paused.add(draft('RUN_RESUMED', { idempotencyKey: 'r' }));
    expect(paused.state.status).toBe('running');
    expect(paused.state).not.toHaveProperty('paused');
    const other = newJournal().add(draft('RUN_PAUSED', { idempotencyKey: 'p' }));
    other.add(draft('RUN_CANCEL_REQUESTED', { idempotencyKey: 'c' }));
    expect(other.state).not.toHaveProperty('paused');
    expect([...other.state.commands]).toEqual(['submit-1', 'p', 'c']);
  });

  test('an invalidated effect and all later ones are requested again, with new attempt numbers', () => {
    const journal = newJournal().add(task('e1'), task('e2'), done('e1'), done('e2'), task('e3'), invalidate('e2'));
    expect([...journal.state.effects.keys()]).toEqual(['e1']);
    expect(journal.state.earlierAttempts).toEqual(
      new Map([
        ['e2', 1],
        ['e3', 1],
      ]),
    );
    journal.add(task('e2'));
    expect([...journal.state.pending]).toEqual(['e2']);
  });

  test('an effect from before a restart of the process cannot be invalidated', () => {
    const journal = newJournal().add(task('e1'), done('e1'));
    journal.add(draft('PROCESS_ASSIGNED', { process: { id: 'p', codeHash: 'c' } }));
    expect(() => journal.add(invalidate('e1'))).toThrow(/before the process last started/);
    expect(() => journal.add(invalidate('e9'))).toThrow(/never requested/);
  });

  test('the effective entries do not depend on the invalidated effect', () => {
    const journal = newJournal().add(
      task('e1'),
      task('e2'),
      draft('PROCESS_LOG', { message: 1 }),
      done('e1'),
      task('e3'),
    );
    journal.add(signal, invalidate('e2'), task('e2'));
    expect(
      effectiveEntries(journal.entries).map(({ type, data }) => [type, 'effectId' in data && data.effectId]),
    ).toEqual([
      ['RUN_CREATED', false],
      ['EFFECT_REQUESTED', 'e1'],
      ['EFFECT_RESOLVED', 'e1'],
      ['SIGNAL_RECEIVED', false],
      ['EFFECT_REQUESTED', 'e2'],
    ]);
  });
});
