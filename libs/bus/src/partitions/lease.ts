/** What stands in the bucket under a partition's key. */
export interface LeaseValue {
  /**
   * The process that holds it: replica name and a mark of its own, so that a restarted replica is not taken for its
   * past self.
   */
  readonly owner: string;
}

/** One ownership of a partition, from being won to being lost or handed over. */
export interface Lease {
  readonly partition: number;
  /** The fencing token: higher for every new ownership of the partition. */
  readonly epoch: number;
  /** By this process's own monotonic clock: false before another replica can have won it. */
  readonly valid: boolean;
  /** Aborts when the lease is lost or handed over. */
  readonly signal: AbortSignal;
}

/** A lease of this process, with what is needed to renew it. */
export class HeldLease implements Lease {
  readonly partition: number;
  readonly epoch: number;
  /** Revision of the key: what the next renewal expects. */
  revision: number;
  handingOver = false;
  /** The renewal that is under way, or was last. */
  renewal: Promise<void> = Promise.resolve();
  readonly #lifeMs: number;
  readonly #abort = new AbortController();
  #renewedAt: number;

  /** `asked`: the moment, by `performance.now()`, before the request that won it was sent. */
  constructor(partition: number, revision: number, lifeMs: number, asked: number) {
    this.partition = partition;
    this.epoch = revision;
    this.revision = revision;
    this.#lifeMs = lifeMs;
    this.#renewedAt = asked;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get valid(): boolean {
    return !this.#abort.signal.aborted && performance.now() - this.#renewedAt < this.#lifeMs;
  }

  renewed(revision: number, asked: number): void {
    this.revision = revision;
    this.#renewedAt = asked;
  }

  end(): void {
    this.#abort.abort();
  }
}
