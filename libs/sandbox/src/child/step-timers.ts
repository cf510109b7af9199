import * as real from 'node:timers';
import { onlyInSteps, whenStepEnds } from './ambient.ts';

type Callback = (...args: unknown[]) => void;
/** The timer of Node.js. Immediates have no `refresh`. */
type RealTimer = { ref(): unknown; unref(): unknown; hasRef(): boolean; refresh?(): unknown };

const { setTimeout, setInterval, setImmediate, clearTimeout, clearImmediate } = real;
const { AbortController, DOMException } = globalThis;

/**
 * A timer that ends with its step. It wraps the timer of Node.js, which has references to the list of all timers and to
 * the machine's time.
 */
export class StepTimer {
  readonly #timer: RealTimer;
  readonly #stop: () => void;
  readonly #forget: () => void;
  #isClosed = false;

  constructor(timer: RealTimer, stop: () => void) {
    this.#timer = timer;
    this.#stop = stop;
    this.#forget = whenStepEnds(() => this.close());
  }

  /** Ignores values that are not timers. */
  static clear(this: void, timer: unknown): void {
    if (typeof timer === 'object' && timer !== null && #isClosed in timer) timer.close();
  }

  close(): this {
    this.#isClosed = true;
    this.#stop();
    this.#forget();
    return this;
  }

  ref(): this {
    this.#timer.ref();
    return this;
  }

  unref(): this {
    this.#timer.unref();
    return this;
  }

  hasRef(): boolean {
    return this.#timer.hasRef();
  }

  refresh(): this {
    if (!this.#isClosed) this.#timer.refresh?.();
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const guarded = <T extends (...args: never[]) => unknown>(name: string, work: T): T =>
  onlyInSteps(name, work, 'ctx.sleepUntil');

function startTimeout(callback: Callback, ms?: number, ...args: unknown[]): StepTimer {
  const timer = setTimeout(callback, ms, ...args);
  return new StepTimer(timer, () => clearTimeout(timer));
}

function startInterval(callback: Callback, ms?: number, ...args: unknown[]): StepTimer {
  const timer = setInterval(callback, ms, ...args);
  return new StepTimer(timer, () => clearTimeout(timer));
}

function startImmediate(callback: Callback, ...args: unknown[]): StepTimer {
  const timer = setImmediate(callback, ...args);
  return new StepTimer(timer, () => clearImmediate(timer));
}

/** The timer functions for processes: available in steps, and cleared when the step ends. */
export const stepTimers = {
  setTimeout: guarded('setTimeout', startTimeout),
  setInterval: guarded('setInterval', startInterval),
  setImmediate: guarded('setImmediate', startImmediate),
  clearTimeout: StepTimer.clear,
  clearInterval: StepTimer.clear,
  clearImmediate: StepTimer.clear,
};

export interface TimerOptions {
  readonly signal?: AbortSignal;
}

/** Like the functions of `node:timers/promises`. */
function later<T>(start: (done: () => void) => StepTimer, value: T, { signal }: TimerOptions = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      StepTimer.clear(timer);
      reject(new DOMException('This operation was aborted', 'AbortError'));
    };
    const timer = start(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

async function* everyInterval<T>(ms?: number, value?: T, options?: TimerOptions): AsyncGenerator<T | undefined> {
  for (;;) yield await later((done) => stepTimers.setTimeout(done, ms), value, options);
}

export const stepTimersPromises = {
  setTimeout: guarded('setTimeout', <T>(ms?: number, value?: T, options?: TimerOptions) =>
    later((done) => startTimeout(done, ms), value, options),
  ),
  setInterval: guarded('setInterval', everyInterval),
  setImmediate: guarded('setImmediate', <T>(value?: T, options?: TimerOptions) =>
    later(startImmediate, value, options),
  ),
};

/** `AbortSignal.timeout` with a timer of the step. */
export const abortAfter = guarded('AbortSignal.timeout', (ms: number): AbortSignal => {
  const controller = new AbortController();
  const error = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  startTimeout(() => controller.abort(error()), ms).unref();
  return controller.signal;
});

/** `AbortSignal.any`. The one of Node.js holds its sources weakly, so it would reveal garbage collection. */
export function abortedByAny(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController();
  const sources = [...signals];
  const aborted = sources.find((source) => source.aborted);
  if (aborted) controller.abort(aborted.reason);
  else
    for (const source of sources)
      source.addEventListener('abort', () => controller.abort(source.reason), {
        once: true,
        signal: controller.signal,
      });
  return controller.signal;
}
