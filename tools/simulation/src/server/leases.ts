interface HeldKey {
  readonly owner: string;
  readonly revision: number;
  readonly expiresAt: number;
}

/** The bucket of leases: one key per partition, which expires unless it is renewed. */
export class Leases {
  readonly #now: () => number;
  readonly #keys = new Map<number, HeldKey>();
  /** High, as after days of renewals. */
  #revision = 1_000_000;

  constructor(now: () => number) {
    this.#now = now;
  }

  holder(partition: number): HeldKey | undefined {
    const key = this.#keys.get(partition);
    return key && key.expiresAt > this.#now() ? key : undefined;
  }

  /** @returns the new revision; undefined when another owner holds the lease */
  win(partition: number, owner: string, ttlMs: number): number | undefined {
    const held = this.holder(partition);
    return held && held.owner !== owner ? undefined : this.#write(partition, owner, ttlMs);
  }

  renew(partition: number, owner: string, revision: number, ttlMs: number): number | undefined {
    return this.holder(partition)?.revision === revision ? this.#write(partition, owner, ttlMs) : undefined;
  }

  release(partition: number, revision: number): void {
    if (this.holder(partition)?.revision === revision) this.#keys.delete(partition);
  }

  /** Like a bucket that was deleted and created again: it is empty, and its revisions start from 1. */
  recreate(): void {
    this.#keys.clear();
    this.#revision = 0;
  }

  #write(partition: number, owner: string, ttlMs: number): number {
    this.#revision += 1;
    this.#keys.set(partition, { owner, revision: this.#revision, expiresAt: this.#now() + ttlMs });
    return this.#revision;
  }
}
