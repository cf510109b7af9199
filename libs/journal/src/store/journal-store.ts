import type { RunAddress } from '@reins/contracts';
import type { Entry, Head } from '../entries/entry.ts';

/** Entries that are appended together, under one ownership of the partition. */
export interface Commit {
  readonly entries: readonly Entry[];
  /** The fencing token of the partition lease that it was appended under. */
  readonly epoch: number;
}

/**
 * The end of a run's journal in the store, for the compare-and-set of the next append: the stream sequence of the last
 * commit, or the number of the last file. 0 for an empty journal.
 */
export type Position = number;

export interface LoadedJournal {
  readonly entries: readonly Entry[];
  readonly head: Head;
  readonly position: Position;
  /** How many entries the last commit appended; 0 for an empty journal. */
  readonly lastCommitSize: number;
  /** The epoch of the last commit; absent for a store without epochs. */
  readonly epoch?: number;
}

/**
 * `stored`: the commit is durable and is now the end of the journal. `fenced`: another writer appended meanwhile.
 * Nothing of this commit was stored, and the caller must load again or stop.
 */
export type AppendOutcome =
  | { readonly outcome: 'stored'; readonly position: Position }
  | { readonly outcome: 'fenced' };

/**
 * The port to a run's journal. The JetStream stream `JOURNAL` and the run directory implement it, and pass the same
 * contract suite.
 */
export interface JournalStore {
  /**
   * Loads and verifies all entries of the run: versions without gaps, hash chain.
   * @throws ReinsError `journal_corrupt`, naming the first invalid entry; `journal_newer` when a newer version of Reins
   *   wrote it
   */
  load(run: RunAddress): Promise<LoadedJournal>;

  /**
   * Appends if the journal still ends at `expected`. A resolved outcome is never a guess. After an error or a timeout the store
   * looks up whether the commit was stored, and sends the same bytes again if it was not. It rejects only if
   * the store stays unreachable until the deadline; the outcome is then unknown.
   * @throws ReinsError `journal_unavailable`
   */
  append(run: RunAddress, commit: Commit, expected: Position): Promise<AppendOutcome>;
}
