import { ReinsError } from '@reins/contracts';

/** Who may hold a slot. */
export interface Tenant {
  /** Since when it has had nothing to do (milliseconds); undefined while it must not be disturbed. */
  readonly idleSince: number | undefined;
  /** Gives up what it holds the slot for, and then the slot. */
  evict(): Promise<void>;
  /** As `evict`, whatever it is at, and for good. */
  close(): Promise<void>;
}

/** As many children as may live at a time. Who has nothing to do makes room for who has. */
export class Slots {
  readonly #max: number;
  readonly #patienceMs: number;
  readonly #taken = new Set<Tenant>();
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  /** @param patienceMs how long one waits for a slot */
  constructor(max: number, patienceMs: number) {
    this.#max = max;
    this.#patienceMs = patienceMs;
  }

  /** There are no slots any more. */
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

  /** Somebody has nothing to do any more. */
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
    message: `${max} processes are at work, and none of them came to rest in time`,
  });
}

/** Nothing was wrong with the process: whoever drives it stops. */
export function closed(): ReinsError {
  return new ReinsError({ code: 'sandbox_unavailable', message: 'the sandbox was closed' });
}
