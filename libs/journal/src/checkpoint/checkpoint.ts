import type { BlobRef, RunAddress } from '@reins/contracts';
import type { Position } from '../store/journal-store.ts';
import type { StoredCommit } from '../store/stored-commit.ts';

/**
 * How far the beginning of a long journal is kept beside its stream: whoever loads the run has everything up to here in a few objects, each
 * verified by its hash, and reads and verifies one by one only what came after. It has the entries and not the state that they fold to: a process is
 * replayed over its entries, and folding them takes a thirtieth of the time that reading them takes.
 */
export interface Checkpoint {
  /** Sequence of the commit that it ends with. */
  readonly position: Position;
  /** Its last entry. */
  readonly version: number;
  readonly hash: string;
  /** The commits up to there, as they lie in the stream, in order. */
  readonly parts: readonly BlobRef[];
}

export interface KeptCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly revision: number;
}

/** Where checkpoints are kept. */
export interface CheckpointStore {
  find(run: RunAddress): Promise<KeptCheckpoint | undefined>;
  /** A part, verified by its hash. */
  get(part: BlobRef): Promise<Uint8Array>;
  put(part: Uint8Array): Promise<BlobRef>;
  /** In place of the one that was found; of none, where there was none. Where somebody else's stands there by now, that stays. */
  keep(run: RunAddress, checkpoint: Checkpoint, before: KeptCheckpoint | undefined): Promise<void>;
  /** Removes it, and its parts. Default: whichever there is. */
  forget(run: RunAddress, kept?: KeptCheckpoint): Promise<void>;
}

/** Whether this is the commit that a checkpoint ends with. */
export function endsAt({ position, hash }: Checkpoint, commit: StoredCommit | undefined): boolean {
  return commit?.seq === position && commit.entries?.at(-1)?.hash === hash;
}
