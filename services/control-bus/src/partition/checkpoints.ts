import type { RunAddress } from '@reins/contracts';
import { type CheckpointStore, type Commit, type ExtendOptions, extendCheckpoint, fillsPart } from '@reins/journal';
import type { Logger } from '@reins/service-kit';

export interface CheckpointsOptions extends Omit<ExtendOptions, 'every'> {
  readonly log: Pick<Logger, 'warn'>;
  /** Entries per part. Default: 1,024; with small commits, such a part fits in one message of the object store. */
  readonly every?: number;
}

const EVERY = 1_024;

/** Extends the checkpoints of long journals in the background, one run at a time. */
export class Checkpoints {
  readonly #options: CheckpointsOptions & { readonly every: number };
  readonly #pending = new Map<string, RunAddress>();
  #work: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: CheckpointsOptions) {
    this.#options = { every: EVERY, ...options };
  }

  get store(): CheckpointStore {
    return this.#options.checkpoints;
  }

  /** Call it after each commit: it extends the checkpoint when the commit fills a part. */
  onAppend(run: RunAddress, { entries }: Commit): void {
    const { every } = this.#options;
    const last = entries.at(-1)?.version ?? 0;
    if (this.#isClosed || !fillsPart(last - entries.length, last, every)) return;
    this.#pending.set(run.runId, run);
    this.#work ??= this.#extendAll();
  }

  /** Discards queued work and waits for the running extension. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pending.clear();
    await this.#work;
  }

  /** A failure is only logged: without the checkpoint, loading the run takes longer. */
  async #extendAll(): Promise<void> {
    for (const [id, run] of this.#pending) {
      this.#pending.delete(id);
      await extendCheckpoint(this.#options, run).catch((error) => {
        this.#options.log.warn({ err: error, ...run }, 'checkpoint not extended');
      });
    }
    // In the same turn as the last check of the map, so that the next `onAppend` starts the work again.
    this.#work = undefined;
  }
}
