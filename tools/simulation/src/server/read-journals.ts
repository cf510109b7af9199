import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import { applyEntry, type Entry, emptyRun, type RunState } from '@reins/journal';
import type { Server } from './server.ts';

export interface ReadJournal {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  /** Of its commits, in order. */
  readonly epochs: readonly number[];
}

/** Every journal as it was written, unverified, wherever its entries are by now. */
export function allJournals({ journals }: Server): ReadJournal[] {
  const bySubject = Map.groupBy(journals.ever, ({ subject }) => subject);
  return [...bySubject].flatMap(([subject, commits]) => {
    const address = parseJournalSubject(subject);
    if (!address) return [];
    const { runId, workspaceId } = address;
    return [
      {
        run: { workspaceId, runId },
        entries: commits.flatMap(({ commit }) => commit.entries),
        epochs: commits.map(({ commit }) => commit.epoch),
      },
    ];
  });
}

/** The state of a run; where its journal is broken, before the first entry that is wrong. */
export function stateOf({ entries, run }: Pick<ReadJournal, 'entries' | 'run'>): RunState {
  const state = emptyRun(run);
  try {
    for (const entry of entries) applyEntry(state, entry);
  } catch {
    // A check of its own says so.
  }
  return state;
}
