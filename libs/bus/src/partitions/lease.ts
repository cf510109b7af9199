import type { JsonObject } from '@reins/contracts';

/** The value of a partition's key in the bucket. */
export interface LeaseValue {
  /**
   * The process that holds the lease: the replica name and a random suffix, which distinguishes a restarted replica
   * from its predecessor.
   */
  readonly owner: string;
  /** Of a replica's presence: what it reports of its host. */
  readonly about?: JsonObject;
}

/** One ownership of a partition, from its acquisition until it is lost or handed over. */
export interface Lease {
  readonly partition: number;
  /** The fencing token: increases with every new ownership of the partition. */
  readonly epoch: number;
  /** By this process's monotonic clock. Becomes false before another replica can acquire the partition. */
  readonly valid: boolean;
  /** Aborts when the lease is lost or handed over. */
  readonly signal: AbortSignal;
}

/** A lease held by this process, with the state needed to renew it. */
export class HeldLease implements Lease {
  readonly partition: number;
  readonly epoch: number;
  /** Revision of the key, which the next renewal expects. */
  revision: number;
  handingOver = false;
  /** The current or last renewal. */
  renewal: Promise<void> = Promise.resolve();
  readonly #validForMs: number;
  readonly #abort = new AbortController();
  #renewedAt: number;

  /** @param requestedAt time before the request that acquired the lease, by `performance.now()` */
  constructor(partition: number, revision: number, validForMs: number, requestedAt: number) {
    this.partition = partition;
    this.epoch = revision;
    this.revision = revision;
    this.#validForMs = validForMs;
    this.#renewedAt = requestedAt;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get valid(): boolean {
    return !this.#abort.signal.aborted && performance.now() - this.#renewedAt < this.#validForMs;
  }

  renewed(revision: number, requestedAt: number): void {
    this.revision = revision;
    this.#renewedAt = requestedAt;
  }

  abort(): void {
    this.#abort.abort();
  }
}
