import { hash } from 'node:crypto';
import type { BlobRef, RunAddress } from '@reins/contracts';
import type { Position } from '../store/journal-store.ts';
import type { StreamMessage } from '../store/stream-port.ts';

/**
 * A stored prefix of a long journal, so that loading reads a few objects and then only the newer commits from the
 * stream. It stores the commits and not the folded state: processes are replayed over entries, and every reader
 * verifies them. Folding takes a thirtieth of the time of reading from the stream.
 */
export interface Checkpoint {
  /** Stream sequence of the last commit in the checkpoint. */
  readonly position: Position;
  /** SHA-256 (hex) of that commit. */
  readonly sha256: string;
  /** The version of its last entry. */
  readonly version: number;
  /** The stored commits, in order. */
  readonly parts: readonly BlobRef[];
}

export interface StoredCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly revision: number;
}

/** Stores checkpoints. */
export interface CheckpointStore {
  find(run: RunAddress): Promise<StoredCheckpoint | undefined>;
  /** Returns a part after verifying its hash. */
  get(part: BlobRef): Promise<Uint8Array>;
  put(part: Uint8Array): Promise<BlobRef>;
  /**
   * Replaces the checkpoint that was found, or creates the first one. Does nothing when another writer stored one
   * meanwhile.
   */
  keep(run: RunAddress, checkpoint: Checkpoint, before: StoredCheckpoint | undefined): Promise<void>;
  /** Removes a checkpoint and its parts. Default: the current one. */
  forget(run: RunAddress, kept?: StoredCheckpoint): Promise<void>;
}

/** The hash by which a checkpoint identifies its last commit. */
export const sha256Of = (commit: Uint8Array): string => hash('sha256', commit);

/** Whether this message is the last commit of the checkpoint. */
export const isCheckpointEnd = ({ position, sha256 }: Checkpoint, message: StreamMessage | undefined): boolean =>
  message?.seq === position && sha256Of(message.data) === sha256;
