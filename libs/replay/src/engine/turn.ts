import type { BlobRef, JsonValue, RunAddress } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';
import type { Divergence } from './divergence.ts';
import type { EndState } from './outcome.ts';
import type { DueStep } from './step-attempt.ts';

/** What the process is fed: an entry as it is, or will be, in the journal. */
export type Fed = { [T in Entry['type']]: Pick<Entry<T>, 'type' | 'data' | 'recordedAt'> }[Entry['type']];

/** `waiting`: for answers. `diverged`: it did something else than its journal says. */
export type CoroutineState = 'waiting' | EndState | 'diverged';

/** What the process did until it came to rest. */
export interface Turn {
  /** What the journal shall have after what was fed, in the same commit, in this order. */
  readonly drafts: readonly EntryDraft[];
  /** Local steps that are due; each is run by the caller, and its draft fed back. */
  readonly steps: readonly DueStep[];
  readonly state: CoroutineState;
  readonly divergence?: Divergence;
}

export interface CoroutineOptions {
  /** Whose effects they are: their ids follow from its run id. */
  readonly run: RunAddress;
  /**
   * The run id that the process sees and that its random numbers follow from, where that is not its own: of a fork, that of the run under
   * which the shared entries were recorded.
   */
  readonly identity?: string;
  /** Fetches a value that is too large for the journal. */
  readonly loadValue?: (ref: BlobRef) => Promise<JsonValue>;
  /** Nobody is there to answer breakpoints: they are approved at once. */
  readonly nonInteractive?: boolean;
}

export interface ReplayOptions extends CoroutineOptions {
  readonly entries: readonly Entry[];
  /** When it is replayed: from then on an operator has time to correct what diverged. The last entry's time without it. */
  readonly replayedAt?: string;
  /** Of a process that began anew, every start is replayed that ended under the code that it has; without it the last one. */
  readonly everyStart?: boolean;
}
