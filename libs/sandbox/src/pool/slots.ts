import { ReinsError } from '@reins/contracts';

/** A run that can hold a slot. */
export interface Tenant {
  /** The time (in milliseconds) since which it is idle. Undefined while it works. */
  readonly idleSince: number | undefined;
  /** Stops its child and releases the slot. */
  evict(): Promise<void>;
  /** Like `evict`, but permanently, and also while it works. */
  close(): Promise<void>;
}

/** Limits the number of live children. Idle tenants are evicted when others have work. */
export class Slots {
  readonly #max: number;
  readonly #patienceMs: number;
  readonly #taken = new Set<Tenant>();
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  /** @param patienceMs how long `take` waits for a slot */
  constructor(max: number, patienceMs: number) {
    this.#max = max;
    this.#patienceMs = patienceMs;
  }

  /** Closes all tenants. Slots cannot be taken afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.changed();
    await Promise.all([...this.#taken].map((tenant) => tenant.close()));
  }

  /** @throws ReinsError `sandbox_busy` · `sandbox_unavailable` after it was closed */
  async take(tenant: Tenant): Promise<void> {
    const until = Date.now() + this.#patienceMs;
    while (this.#isClosed || this.#taken.size >= this.#max) {
      if (this.#isClosed) throw closed();
      const idle = this.#longestIdle();
      if (idle) await idle.evict();
      else if (!(await this.#change(until - Date.now()))) throw busy(this.#max);
    }
    this.#taken.add(tenant);
  }

  release(tenant: Tenant): void {
    if (this.#taken.delete(tenant)) this.changed();
  }

  /** Wakes waiting tenants: a tenant became idle, or released its slot. */
  changed(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #longestIdle(): Tenant | undefined {
    const idle = [...this.#taken].filter(({ idleSince }) => idleSince !== undefined);
    return idle.sort((a, b) => (a.idleSince as number) - (b.idleSince as number))[0];
  }

  #change(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), Math.max(0, ms));
      const wake = () => done(true);
      const done = (changed: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve(changed);
      };
      this.#waiting.add(wake);
    });
  }
}

function busy(max: number): ReinsError {
  return new ReinsError({
    code: 'sandbox_busy',
    message: `all ${max} sandboxes were busy for too long`,
  });
}

/** The sandbox was closed; the process did nothing wrong. */
export function closed(): ReinsError {
  return new ReinsError({ code: 'sandbox_unavailable', message: 'the sandbox was closed' });
}
