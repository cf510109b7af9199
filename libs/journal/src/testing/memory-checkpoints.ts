import { hash } from 'node:crypto';
import { type BlobRef, ReinsError, type RunAddress } from '@reins/contracts';
import type { CheckpointStore, StoredCheckpoint } from '../checkpoint/checkpoint.ts';

/** Checkpoints in memory. */
export class MemoryCheckpoints implements CheckpointStore {
  readonly parts = new Map<string, Uint8Array>();
  readonly #kept = new Map<string, StoredCheckpoint>();
  #revision = 0;
  /** How often a checkpoint was looked up. */
  lookups = 0;

  /** The stored checkpoint of a run, for assertions. */
  of({ runId }: RunAddress): StoredCheckpoint['checkpoint'] | undefined {
    return this.#kept.get(runId)?.checkpoint;
  }

  async find({ runId }: RunAddress): Promise<StoredCheckpoint | undefined> {
    this.lookups += 1;
    return this.#kept.get(runId);
  }

  async get({ sha256 }: BlobRef): Promise<Uint8Array> {
    const part = this.parts.get(sha256);
    if (!part) throw new ReinsError({ code: 'blob_not_found', message: 'it does not exist', path: sha256 });
    if (hash('sha256', part) === sha256) return part;
    throw new ReinsError({ code: 'blob_corrupt', message: 'it was altered', path: sha256 });
  }

  async put(part: Uint8Array): Promise<BlobRef> {
    const sha256 = hash('sha256', part);
    this.parts.set(sha256, part);
    return { sha256, size: part.length };
  }

  async keep(
    { runId }: RunAddress,
    checkpoint: StoredCheckpoint['checkpoint'],
    before: StoredCheckpoint | undefined,
  ): Promise<void> {
    if (this.#kept.get(runId)?.revision !== before?.revision) return;
    this.#revision += 1;
    this.#kept.set(runId, { checkpoint, revision: this.#revision });
  }

  async forget({ runId }: RunAddress, kept = this.#kept.get(runId)): Promise<void> {
    if (this.#kept.get(runId)?.revision !== kept?.revision) return;
    for (const { sha256 } of kept?.checkpoint?.parts ?? []) this.parts.delete(sha256);
    this.#kept.delete(runId);
  }
}
