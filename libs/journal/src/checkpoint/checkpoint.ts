import { hash } from 'node:crypto';
import type { BlobRef, RunAddress } from '@reins/contracts';
import type { Position } from '../store/journal-store.ts';
import type { StreamMessage } from '../store/stream-port.ts';

/**
 * How far the beginning of a long journal is kept beside its stream: whoever loads the run has the commits up to here in a few objects, and reads
 * one by one only what came after. It has the commits as they are and not the state that they fold to: a process is replayed over its entries, every
 * reader verifies them, and folding them takes a thirtieth of the time that reading them from the stream takes.
 */
export interface Checkpoint {
  /** Sequence of the commit that it ends with. */
  readonly position: Position;
  /** SHA-256 (hex) of that commit. */
  readonly sha256: string;
  /** The version of its last entry. */
  readonly version: number;
  /** The commits up to there, in order. */
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

/** How a checkpoint knows the commit that it ends with. */
export const sha256Of = (commit: Uint8Array): string => hash('sha256', commit);

/** Whether this message is the commit that a checkpoint ends with. */
export const endsWith = ({ position, sha256 }: Checkpoint, message: StreamMessage | undefined): boolean =>
  message?.seq === position && sha256Of(message.data) === sha256;
