import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import { applyEntry, type Entry, emptyRun, type RunState } from '@reins/journal';
import type { Server } from './server.ts';

export interface ReadJournal {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  /** When the server stored each entry, in milliseconds since the epoch. */
  readonly storedAt: readonly number[];
  /** The epochs of its commits, in order. */
  readonly epochs: readonly number[];
}

/** Every journal as written, unverified, including purged commits. */
export function allJournals({ journals }: Server): ReadJournal[] {
  const bySubject = Map.groupBy(journals.allCommits, ({ subject }) => subject);
  return [...bySubject].flatMap(([subject, commits]) => {
    const address = parseJournalSubject(subject);
    if (!address) return [];
    const { runId, workspaceId } = address;
    return [
      {
        run: { workspaceId, runId },
        entries: commits.flatMap(({ commit }) => commit.entries),
        storedAt: commits.flatMap(({ commit, storedAt }) => commit.entries.map(() => storedAt)),
        epochs: commits.map(({ commit }) => commit.epoch),
      },
    ];
  });
}

/** The state of a run, up to the first invalid entry. */
export function stateOf({ entries, run }: Pick<ReadJournal, 'entries' | 'run'>): RunState {
  const state = emptyRun(run);
  try {
    for (const entry of entries) applyEntry(state, entry);
  } catch {
    // Another check reports it.
  }
  return state;
}
