import type { RunAddress } from '@reins/contracts';
import { type CheckpointStore, type Commit, type ExtendOptions, extendCheckpoint, fillsPart } from '@reins/journal';
import type { Logger } from '@reins/service-kit';

/** What checkpoints need of the world. */
export interface CheckpointsOptions extends Omit<ExtendOptions, 'every'> {
  readonly log: Pick<Logger, 'warn'>;
  /** Entries of a part. Default: 1,024, which make an object of one message where a commit is small. */
  readonly every?: number;
}

const EVERY = 1_024;

/** Keeps the beginnings of journals that grow long: one after the other, beside everything else. */
export class Checkpoints {
  readonly #options: CheckpointsOptions & { readonly every: number };
  readonly #grown = new Map<string, RunAddress>();
  #work: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: CheckpointsOptions) {
    this.#options = { every: EVERY, ...options };
  }

  get store(): CheckpointStore {
    return this.#options.checkpoints;
  }

  /** A commit was appended to this run. */
  grown(run: RunAddress, { entries }: Commit): void {
    const { every } = this.#options;
    const last = entries.at(-1)?.version ?? 0;
    if (this.#isClosed || !fillsPart(last - entries.length, last, every)) return;
    this.#grown.set(run.runId, run);
    this.#work ??= this.#extendAll();
  }

  /** What is under way is finished. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#grown.clear();
    await this.#work;
  }

  /** One that cannot be kept costs who loads the run time, and no more. */
  async #extendAll(): Promise<void> {
    for (const [id, run] of this.#grown) {
      this.#grown.delete(id);
      await extendCheckpoint(this.#options, run).catch((error) => {
        this.#options.log.warn({ err: error, ...run }, 'the beginning of a long journal cannot be kept');
      });
    }
    // At once with the last look: what has grown after it finds nobody at work.
    this.#work = undefined;
  }
}
