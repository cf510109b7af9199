import type { RunAddress } from '@reins/contracts';
import type { Entry, Head } from '../entries/entry.ts';

/** Entries appended together, under one ownership of the partition. */
export interface Commit {
  readonly entries: readonly Entry[];
  /** The fencing token of the partition lease under which it was appended. */
  readonly epoch: number;
}

/**
 * Where the store keeps the end of a run's journal, for the compare-and-set of the next append: the stream sequence of the
 * run's last commit, or the number of its last file. 0 = the journal is empty.
 */
export type Position = number;

export interface LoadedJournal {
  readonly entries: readonly Entry[];
  readonly head: Head;
  readonly position: Position;
  /** How many of the entries, from the end, were appended by the last commit; 0 for an empty journal. */
  readonly lastCommitSize: number;
  /** The ownership that the last commit was appended under; absent where there is none. */
  readonly epoch?: number;
}

/**
 * `stored`: the commit is durable, and is the journal's end now.
 * `fenced`: somebody else appended in between; nothing of this commit was stored, and the caller must load again or stop.
 */
export type AppendOutcome =
  | { readonly outcome: 'stored'; readonly position: Position }
  | { readonly outcome: 'fenced' };

/**
 * The one port to a run's journal. Two implementations, one contract suite: the JETSTREAM stream and the run directory.
 */
export interface JournalStore {
  /**
   * Every entry of the run, verified: gapless versions, hash chain.
   * @throws ReinsError `journal_corrupt`, naming the first entry that is wrong; `journal_newer` where that is what was written, and another
   * version knows it
   */
  load(run: RunAddress): Promise<LoadedJournal>;

  /**
   * Appends if the journal still ends at `expected`. The answer is certain: after an error or a timeout the store finds
   * out what became of the commit (the append rule), sends the same bytes again where they were not stored, and rejects only
   * when the store cannot be reached within its deadline.
   * @throws ReinsError `journal_unavailable`
   */
  append(run: RunAddress, commit: Commit, expected: Position): Promise<AppendOutcome>;
}
