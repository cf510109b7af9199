import type { ProcessRef } from '@reins/contracts';
import type { Dropped } from './kept-entry.ts';
import type { FoundValue } from './lost-values.ts';
import type { RecoveryReport } from './recovered-results.ts';
import type { Suspicion } from './suspicions.ts';
import type { UnprovenEntry } from './unproven.ts';

/** What a repair does or, in a dry run, would do. Optional lists are absent when they are empty. */
export interface RepairPlan {
  /** How many files with the name of an entry the journal has. */
  readonly files: number;
  /** How many entries it has after the repair. */
  readonly entries: number;
  /** How many of them say that a changed entry was accepted. The repair adds them. */
  readonly notes: number;
  /** Files whose content is not kept, and why. */
  readonly dropped: readonly Dropped[];
  /** Files that had the name of another entry, or not the name of an entry, and the entry that each of them is. */
  readonly reordered?: readonly { readonly name: string; readonly version: number }[];
  /** Everything else in the folder of the journal. It is moved to `orphaned/`, or stays with the old journal. */
  readonly aside?: readonly { readonly name: string; readonly why: string }[];
  /** Files that were altered, but are readable and valid at their place. */
  readonly suspicious: readonly Suspicion[];
  /** Entries whose content was changed, and which nothing proves. The journal stays as it is until they are accepted. */
  readonly unproven?: readonly UnprovenEntry[];
  /** The same, accepted by the caller. The repaired journal says so before each of them. */
  readonly accepted?: readonly UnprovenEntry[];
  /** The run id that `run.json` gets back; absent when it has the right one. */
  readonly runId?: string;
  /** Entries recovered from other files: requests and results whose entry was torn or lost, and the first entry. */
  readonly rescued: readonly RecoveryReport[];
  /** Lost blobs that other files still have: the file, and the path of the restored blob. */
  readonly restored: readonly Omit<FoundValue, 'value'>[];
  /** Run-relative paths of what is lost for good: blobs, and entries that the run depends on. */
  readonly lost: readonly string[];
  /** What the run loses, as sentences. */
  readonly warnings: readonly string[];
  /** The processes whose code the run keeps. */
  readonly processes: readonly ProcessRef[];
  /** Nothing is wrong: the journal would stay as it is, and everything that it references exists. */
  readonly whole: boolean;
}

export interface RepairResult extends RepairPlan {
  /** Path of the previous journal; absent when the entries were not changed. */
  readonly backup?: string;
}
