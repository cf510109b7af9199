import type { BlobRef, JsonValue, RunAddress } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';
import type { Divergence } from './divergence.ts';
import type { EndState } from './outcome.ts';
import type { DueStep } from './step-attempt.ts';

/** What the process is fed: an entry as it is, or will be, in the journal. */
export type FedEntry = { [T in Entry['type']]: Pick<Entry<T>, 'type' | 'data' | 'recordedAt'> }[Entry['type']];

/** `waiting`: for answers. `diverged`: it decided something other than its journal says. */
export type CoroutineState = 'waiting' | EndState | 'diverged';

/** What the process decided until it came to rest. */
export interface Turn {
  /** The entries to record after those that were fed, in the same commit and in this order. */
  readonly drafts: readonly EntryDraft[];
  /** Due local steps. The caller runs each and feeds its draft back. */
  readonly steps: readonly DueStep[];
  readonly state: CoroutineState;
  readonly divergence?: Divergence;
}

export interface CoroutineOptions {
  /** The owner of the effects: their ids follow from its run id. */
  readonly run: RunAddress;
  /**
   * The run id that the process sees, and from which random numbers follow, if it is another one. For a fork: the run
   * under which the shared entries were recorded.
   */
  readonly identity?: string;
  /** Loads a value that is too large for the journal. */
  readonly loadValue?: (ref: BlobRef) => Promise<JsonValue>;
  /** Breakpoints are approved automatically, because no one can answer them. */
  readonly nonInteractive?: boolean;
}

export interface ReplayOptions extends CoroutineOptions {
  readonly entries: readonly Entry[];
  /**
   * When the replay takes place, which starts the operator's grace period after a divergence. Default: the time of the
   * last entry.
   */
  readonly replayedAt?: string;
  /** Replays every start of a restarted process since its code last changed. Default: only the last one. */
  readonly everyStart?: boolean;
  /** The index of the start to begin with, among the effective entries. Overrides `everyStart`. */
  readonly from?: number;
}
