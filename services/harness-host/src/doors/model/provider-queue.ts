/** The limits of the calls to one provider. They may change, with the number of hosts. */
export interface CallLimits {
  /** Concurrent calls. Absent: no limit. */
  readonly maxCalls?: number | undefined;
  /** Calls that wait for others to end, or for the provider to accept calls again. */
  readonly maxWaitingCalls?: number | undefined;
}

/** A call that cannot be forwarded now. */
export interface Busy {
  readonly retryAfterMs: number;
}

interface Waiting {
  readonly start: () => void;
}

/** The longest wait of a call. Executors treat a longer silence as a failure. */
export const MAX_WAIT_MS = 60_000;
const DEFAULT_WAITING = 100;
/** The unit of `Retry-After`. */
const LONGER_MS = 1000;

/**
 * The calls to one provider: limits the concurrent ones, and holds the others back until one ends. After the provider
 * has refused a call with `Retry-After`, holds all calls back for that time.
 */
export class ProviderQueue {
  readonly #limits: CallLimits;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: CallLimits = {}) {
    this.#limits = limits;
  }

  /**
   * Waits until a call can be forwarded; `leave` must follow. Resolves with the time to wait if it would take too long
   * or too many calls wait. @throws the reason of the signal
   */
  async enter(signal: AbortSignal): Promise<Busy | undefined> {
    signal.throwIfAborted();
    const pause = this.#pausedUntil - performance.now();
    if (pause <= 0 && this.#isFree && this.#waiting.length === 0) {
      this.#running += 1;
      return undefined;
    }
    if (pause > MAX_WAIT_MS || this.#waiting.length >= (this.#limits.maxWaitingCalls ?? DEFAULT_WAITING))
      return { retryAfterMs: Math.max(pause, 1000) };
    return this.#turn(signal);
  }

  leave(): void {
    this.#running -= 1;
    this.#next();
  }

  /**
   * The provider has refused a call, and accepts calls again after this time.
   * @returns whether this makes the pause longer by a second or more
   */
  refused(retryAfterMs: number): boolean {
    const until = performance.now() + retryAfterMs;
    const isLonger = until - Math.max(this.#pausedUntil, performance.now()) >= LONGER_MS;
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    return isLonger;
  }

  get #isFree(): boolean {
    return this.#running < (this.#limits.maxCalls ?? Number.POSITIVE_INFINITY);
  }

  async #turn(signal: AbortSignal): Promise<Busy | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Busy | undefined>();
    const waiting: Waiting = { start: () => resolve(undefined) };
    this.#waiting.push(waiting);
    const leaveQueue = (): boolean => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      return at >= 0;
    };
    const aborted = () => leaveQueue() && reject(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
    const timer = setTimeout(() => leaveQueue() && resolve({ retryAfterMs: 1000 }), MAX_WAIT_MS);
    this.#next();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    }
  }

  /** Starts as many waiting calls as possible, oldest first. */
  #next(): void {
    const pause = this.#pausedUntil - performance.now();
    if (pause > 0 && this.#waiting.length > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#next(), pause);
      return;
    }
    while (this.#isFree) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next.start();
    }
  }
}

/** The time of a `Retry-After` header: seconds, or a date. Undefined without one. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) && header.trim() !== '' ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
