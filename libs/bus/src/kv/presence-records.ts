interface PresenceRecord {
  readonly revision: number;
  /** By `performance.now()`, when this revision was seen first. */
  readonly since: number;
}

/**
 * Tells keys that are renewed from ones that only look alive. A server that is killed may forget that a key was to expire, and keep it
 * for ever (seen with NATS 2.15): so who lives is who renews, by this process's own monotonic clock.
 */
export class PresenceRecords<K> {
  readonly #seen = new Map<K, PresenceRecord>();
  readonly #silentMs: number;
  readonly #now: () => number;

  /** @param silentMs how long a key that is alive goes at most without a new revision */
  constructor(silentMs: number, now: () => number = () => performance.now()) {
    this.#silentMs = silentMs;
    this.#now = now;
  }

  get keys(): Iterable<K> {
    return this.#seen.keys();
  }

  get size(): number {
    return this.#seen.size;
  }

  has(key: K): boolean {
    return this.#seen.has(key);
  }

  revision(key: K): number | undefined {
    return this.#seen.get(key)?.revision;
  }

  observe(key: K, revision: number): void {
    if (this.#seen.get(key)?.revision !== revision) this.#seen.set(key, { revision, since: this.#now() });
  }

  forget(key: K): void {
    this.#seen.delete(key);
  }

  /** Whether it was there all that time without being renewed. */
  isStale(key: K): boolean {
    const sighting = this.#seen.get(key);
    return sighting !== undefined && this.#now() - sighting.since > this.#silentMs;
  }
}
