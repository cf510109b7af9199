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
  /**
   * By this process's monotonic clock. Becomes false before another replica can acquire the partition, and never true
   * again.
   */
  readonly valid: boolean;
  /** Aborts when the lease is lost or handed over. */
  readonly signal: AbortSignal;
  /**
   * Call it when a former owner seems to have had a higher epoch than ours, or the same. If the server confirms that we
   * hold the lease, the bucket of leases was restored from an earlier copy, or created again, so epochs started from a
   * lower number. Then our epoch is raised above that one. Otherwise a newer owner exists, and nothing changes.
   * @throws ReinsError of the bus
   */
  raiseEpoch(above: number): Promise<void>;
}

interface LeaseTerms {
  /** How long the lease is valid after a renewal. */
  readonly validForMs: number;
  readonly requestedAt: number;
  readonly verify: (lease: Lease) => Promise<boolean>;
}

/** A lease held by this process, with the state needed to renew it. */
export class HeldLease implements Lease {
  readonly partition: number;
  /** Revision of the key, which the next renewal expects. */
  revision: number;
  handingOver = false;
  /** The current or last renewal. */
  renewal: Promise<void> = Promise.resolve();
  readonly #validForMs: number;
  readonly #verify: (lease: Lease) => Promise<boolean>;
  readonly #abort = new AbortController();
  #epoch: number;
  #renewedAt: number;

  /**
   * @param revision of the key when the lease was acquired; it becomes the epoch
   * @param requestedAt time before the request that acquired the lease, by `performance.now()`
   * @param verify asks the server whether the lease is still held
   */
  constructor(partition: number, revision: number, { validForMs, requestedAt, verify }: LeaseTerms) {
    this.partition = partition;
    this.#epoch = revision;
    this.#verify = verify;
    this.revision = revision;
    this.#validForMs = validForMs;
    this.#renewedAt = requestedAt;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async raiseEpoch(above: number): Promise<void> {
    if (this.#epoch <= above && (await this.#verify(this))) this.#epoch = Math.max(this.#epoch, above + 1);
  }

  get valid(): boolean {
    return !this.#abort.signal.aborted && performance.now() - this.#renewedAt < this.#validForMs;
  }

  /**
   * Extends the lease. Returns false if it has expired meanwhile. Expiry is final: its owner has dropped timers and
   * results since, so only a new ownership, which loads the runs again, may continue.
   */
  renewed(revision: number, requestedAt: number): boolean {
    if (!this.valid) return false;
    this.revision = revision;
    this.#renewedAt = requestedAt;
    return true;
  }

  abort(): void {
    this.#abort.abort();
  }
}
