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

/** What a call belongs to. Runs are compared by identity. */
export type CallingRun = object;

interface Waiting {
  readonly run: CallingRun;
  readonly start: () => void;
  readonly refuse: () => void;
}

/** The longest wait of a call. Executors treat a longer silence as a failure. */
export const MAX_WAIT_MS = 60_000;
const DEFAULT_WAITING = 100;
/** The unit of `Retry-After`. */
const LONGER_MS = 1000;

/**
 * The calls to one provider: limits the concurrent ones, and holds the others back until one ends. A place goes to the
 * run with the fewest calls, so that no run keeps the others out. After the provider has refused a call with
 * `Retry-After`, holds all calls back for that time.
 */
export class ProviderQueue {
  readonly #limits: CallLimits;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  readonly #runningOf = new Map<CallingRun, number>();
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: CallLimits = {}) {
    this.#limits = limits;
  }

  /**
   * Waits until a call can be forwarded; `leave` must follow. Resolves with the time to wait if it would take too long
   * or too many calls wait. @throws the reason of the signal
   */
  async enter(signal: AbortSignal, run: CallingRun): Promise<Busy | undefined> {
    signal.throwIfAborted();
    const pause = this.#pausedUntil - performance.now();
    if (pause <= 0 && this.#isFree && this.#waiting.length === 0) {
      this.#count(run, 1);
      return undefined;
    }
    if (pause > MAX_WAIT_MS || !this.#hasRoomFor(run)) return { retryAfterMs: Math.max(pause, 1000) };
    return this.#turn(signal, run);
  }

  /** @param run the one that has entered */
  leave(run: CallingRun): void {
    this.#count(run, -1);
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

  #count(run: CallingRun, change: 1 | -1): void {
    this.#running += change;
    const ofRun = (this.#runningOf.get(run) ?? 0) + change;
    if (ofRun === 0) this.#runningOf.delete(run);
    else this.#runningOf.set(run, ofRun);
  }

  /** If the queue is full, the newest call of the run with the most waiting calls gives its place to a run with fewer. */
  #hasRoomFor(run: CallingRun): boolean {
    if (this.#waiting.length < (this.#limits.maxWaitingCalls ?? DEFAULT_WAITING)) return true;
    const byRun = Map.groupBy(this.#waiting, (waiting) => waiting.run);
    const most = [...byRun.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (most.length <= (byRun.get(run)?.length ?? 0) + 1) return false;
    most.at(-1)?.refuse();
    return true;
  }

  async #turn(signal: AbortSignal, run: CallingRun): Promise<Busy | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Busy | undefined>();
    const refuse = () => void (leaveQueue() && resolve({ retryAfterMs: 1000 }));
    const waiting: Waiting = { run, start: () => resolve(undefined), refuse };
    this.#waiting.push(waiting);
    const leaveQueue = (): boolean => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      return at >= 0;
    };
    const aborted = () => leaveQueue() && reject(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
    const timer = setTimeout(refuse, MAX_WAIT_MS);
    this.#next();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    }
  }

  /** Starts as many waiting calls as possible: first those of the run with the fewest running calls, oldest first. */
  #next(): void {
    const pause = this.#pausedUntil - performance.now();
    if (pause > 0 && this.#waiting.length > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#next(), pause);
      return;
    }
    while (this.#isFree) {
      const next = this.#takeNext();
      if (!next) return;
      this.#count(next.run, 1);
      next.start();
    }
  }

  #takeNext(): Waiting | undefined {
    const runningOf = ({ run }: Waiting): number => this.#runningOf.get(run) ?? 0;
    const [first, ...others] = this.#waiting;
    if (!first) return undefined;
    const next = others.reduce((a, b) => (runningOf(b) < runningOf(a) ? b : a), first);
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    return next;
  }
}

/** The time of a `Retry-After` header: seconds, or a date. Undefined without one. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) && header.trim() !== '' ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
