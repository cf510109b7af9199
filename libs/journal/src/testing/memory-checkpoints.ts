import { hash } from 'node:crypto';
import { type BlobRef, ReinsError, type RunAddress } from '@reins/contracts';
import type { CheckpointStore, KeptCheckpoint } from '../checkpoint/checkpoint.ts';

/** Checkpoints in this process. */
export class MemoryCheckpoints implements CheckpointStore {
  readonly parts = new Map<string, Uint8Array>();
  readonly #kept = new Map<string, KeptCheckpoint>();
  #revision = 0;
  /** How often somebody looked for one. */
  looks = 0;

  /** What is kept of a run, for whoever looks from outside. */
  of({ runId }: RunAddress): KeptCheckpoint['checkpoint'] | undefined {
    return this.#kept.get(runId)?.checkpoint;
  }

  async find({ runId }: RunAddress): Promise<KeptCheckpoint | undefined> {
    this.looks += 1;
    return this.#kept.get(runId);
  }

  async get({ sha256 }: BlobRef): Promise<Uint8Array> {
    const part = this.parts.get(sha256);
    if (!part) throw new ReinsError({ code: 'blob_not_found', message: 'it is not there', path: sha256 });
    if (hash('sha256', part) === sha256) return part;
    throw new ReinsError({ code: 'blob_corrupt', message: 'it is not what it was', path: sha256 });
  }

  async put(part: Uint8Array): Promise<BlobRef> {
    const sha256 = hash('sha256', part);
    this.parts.set(sha256, part);
    return { sha256, size: part.length };
  }

  async keep(
    { runId }: RunAddress,
    checkpoint: KeptCheckpoint['checkpoint'],
    before: KeptCheckpoint | undefined,
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
