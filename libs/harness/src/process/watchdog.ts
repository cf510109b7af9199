import type { ErrorInfo } from '@reins/contracts';
import type { HarnessDeadlines } from '../contract.ts';

type Limit = keyof HarnessDeadlines;

const CODES: Readonly<Record<Limit, { code: string; violation: string; limit: string }>> = {
  totalMs: { code: 'harness_timeout_total', limit: 'total timeout', violation: 'it did not finish' },
  startupMs: { code: 'harness_timeout_startup', limit: 'startup timeout', violation: 'no output' },
  idleMs: { code: 'harness_timeout_idle', limit: 'idle timeout', violation: 'no output' },
  noProgressMs: { code: 'harness_no_progress', limit: 'progress timeout', violation: 'no progress' },
};

/** Watches the four deadlines of an execution. Calls `expired` once, for the first deadline that passes. */
export class Watchdog {
  readonly #deadlines: HarnessDeadlines;
  readonly #expired: (error: ErrorInfo) => void;
  readonly #timers = new Map<Limit, NodeJS.Timeout>();
  #stopped = false;
  #active = false;

  constructor(deadlines: HarnessDeadlines, expired: (error: ErrorInfo) => void) {
    this.#deadlines = deadlines;
    this.#expired = expired;
    this.#arm('totalMs');
    this.#arm('startupMs');
  }

  /** Records that the executor wrote bytes. */
  recordActivity(): void {
    if (this.#active) {
      this.#refresh('idleMs');
      return;
    }
    this.#active = true;
    this.#disarm('startupMs');
    this.#arm('idleMs');
    this.#arm('noProgressMs');
  }

  /** Records progress: text, a tool call or its result. */
  recordProgress(): void {
    this.recordActivity();
    this.#refresh('noProgressMs');
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #refresh(limit: Limit): void {
    this.#timers.get(limit)?.refresh();
  }

  #disarm(limit: Limit): void {
    clearTimeout(this.#timers.get(limit));
    this.#timers.delete(limit);
  }

  #arm(limit: Limit): void {
    if (this.#stopped) return;
    const ms = this.#deadlines[limit];
    const timer = setTimeout(() => {
      this.stop();
      const { code, violation, limit: name } = CODES[limit];
      this.#expired({ code, message: `the executor was stopped: ${violation} within the ${name} (${ms} ms)` });
    }, ms);
    this.#timers.set(limit, timer);
  }
}
