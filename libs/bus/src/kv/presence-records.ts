interface PresenceRecord {
  readonly revision: number;
  /** Time this revision was first seen, by `performance.now()`. */
  readonly since: number;
}

/**
 * Distinguishes keys that are renewed from stale ones. A killed server may forget that a key expires and keep it
 * forever (seen with NATS 2.15). Liveness is therefore decided by renewals, measured with this process's monotonic
 * clock.
 */
export class PresenceRecords<K> {
  readonly #records = new Map<K, PresenceRecord>();
  readonly #staleAfterMs: number;
  readonly #now: () => number;

  /** @param staleAfterMs time without a new revision after which a key is stale */
  constructor(staleAfterMs: number, now: () => number = () => performance.now()) {
    this.#staleAfterMs = staleAfterMs;
    this.#now = now;
  }

  get keys(): Iterable<K> {
    return this.#records.keys();
  }

  get size(): number {
    return this.#records.size;
  }

  has(key: K): boolean {
    return this.#records.has(key);
  }

  revision(key: K): number | undefined {
    return this.#records.get(key)?.revision;
  }

  observe(key: K, revision: number): void {
    if (this.#records.get(key)?.revision !== revision) this.#records.set(key, { revision, since: this.#now() });
  }

  forget(key: K): void {
    this.#records.delete(key);
  }

  /** Whether the key has not been renewed for too long. */
  isStale(key: K): boolean {
    const record = this.#records.get(key);
    return record !== undefined && this.#now() - record.since > this.#staleAfterMs;
  }
}
