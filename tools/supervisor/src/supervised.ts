import { isReinsError, type Problem } from '@reins/contracts';
import { messageOf, type ProcessExit } from '@reins/embedded';
import type { PartExit, PartState, PartStatus } from './api.ts';

/** A started process. */
export interface Launched {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  stop(deadlineMs?: number): Promise<ProcessExit>;
  kill(): Promise<ProcessExit>;
  /** The problem that the process reported before it ended; undefined when it reported none. */
  reason?(): Problem | undefined;
}

/**
 * Starts the process and resolves when it is ready. Only the first start has a deadline: a restarted process may be waiting for another
 * part. `cancelled` aborts the start.
 */
export type Launch = (
  cancelled: AbortSignal,
  start: 'first' | 'later',
  /** Called as soon as the process has started, before it is ready. */
  onStarted: (process: Launched) => void,
) => Promise<Launched>;

export interface SupervisedOptions {
  readonly name: string;
  readonly launch: Launch;
  readonly log: (line: string) => void;
  readonly onExit: (exit: PartExit) => void;
  readonly stopWithinMs: number;
  /** The pause between restarts grows from the first value to the second. */
  readonly backoffMs?: readonly [first: number, most: number];
}

/** After this uptime, the pause between restarts is reset. */
const RECOVERED_AFTER_MS = 30_000;

/** A part of the system: a process that is restarted whenever it ends unexpectedly. */
export class Supervised {
  readonly name: string;
  readonly #options: SupervisedOptions;
  readonly #cancel = new AbortController();
  #state: PartState = 'starting';
  #process: Launched | undefined;
  /** The process that is not ready yet. */
  #starting: Launched | undefined;
  #restarts = 0;
  #failures = 0;
  #lastExit: ProcessExit | undefined;
  #ready = Promise.withResolvers<void>();
  #loop: Promise<void> | undefined;
  /** The process is not restarted while this promise is pending. */
  #held: Promise<void> = Promise.resolve();

  constructor(options: SupervisedOptions) {
    this.name = options.name;
    this.#options = options;
    this.#ready.promise.catch(() => {}); // Avoids an unhandled rejection when no caller waits.
  }

  /** Starts the process for the first time. @throws if it does not become ready; later failures are retried */
  async start(): Promise<void> {
    const process = await this.#launch('first');
    this.#loop = this.#supervise(process);
  }

  get status(): PartStatus {
    return {
      name: this.name,
      state: this.#state,
      pid: (this.#process ?? this.#starting)?.pid,
      restarts: this.#restarts,
      lastExit: this.#lastExit,
    };
  }

  ready(): Promise<void> {
    return this.#ready.promise;
  }

  async kill(): Promise<void> {
    await (this.#process ?? this.#starting)?.kill();
  }

  /** Kills the process and holds its restart. @returns a function that releases the restart */
  async hold(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    this.#cancel.signal.addEventListener('abort', () => resolve(), { once: true });
    await this.kill();
    return resolve;
  }

  /** Aborts a pending start and prevents restarts. A running process continues until `stop`. */
  cancel(): void {
    this.#cancel.abort();
  }

  async stop(): Promise<void> {
    this.cancel();
    await this.#process?.stop(this.#options.stopWithinMs);
    await this.#loop;
    this.#state = 'stopped';
    this.#ready.reject(new Error(`${this.name} was stopped`));
  }

  async #launch(start: 'first' | 'later'): Promise<Launched> {
    const onStarted = (process: Launched): void => {
      this.#starting = process;
    };
    try {
      return await this.#options.launch(this.#cancel.signal, start, onStarted);
    } finally {
      this.#starting = undefined;
    }
  }

  /** Supervises the process and its successors until `cancel` or `stop`. */
  async #supervise(first: Launched): Promise<void> {
    for (let process: Launched | undefined = first; process; process = await this.#restart()) {
      await this.#waitForExit(process);
    }
  }

  async #waitForExit(process: Launched): Promise<void> {
    const since = performance.now();
    this.#process = process;
    this.#state = 'ready';
    this.#ready.resolve();
    const exit = await process.exited;
    this.#process = undefined;
    this.#lastExit = exit;
    if (this.#cancel.signal.aborted) return;
    if (performance.now() - since > RECOVERED_AFTER_MS) this.#failures = 0;
    this.#state = 'waiting';
    this.#ready = Promise.withResolvers<void>();
    this.#ready.promise.catch(() => {});
    const reason = process.reason?.();
    const cause = reason ? `: ${lineOf(reason)}` : '';
    this.#options.log(`${this.name} ended with ${exit.signal ?? `code ${exit.code}`}${cause}; restarting`);
    this.#options.onExit({ name: this.name, ...exit });
  }

  /** Restarts the process, retrying with growing pauses. Returns undefined when cancelled. */
  async #restart(): Promise<Launched | undefined> {
    const { signal } = this.#cancel;
    while (!signal.aborted) {
      this.#state = 'waiting';
      await pause(this.#pauseMs(), signal);
      await this.#held;
      if (signal.aborted) return undefined;
      this.#state = 'starting';
      this.#restarts += 1;
      try {
        return await this.#launch('later');
      } catch (error) {
        if (!signal.aborted) this.#options.log(`${this.name} did not start: ${causeOf(error)}`);
      }
    }
    return undefined;
  }

  #pauseMs(): number {
    const [first, most] = this.#options.backoffMs ?? [100, 5_000];
    this.#failures += 1;
    return Math.min(most, first * 2 ** (this.#failures - 1));
  }
}

/** Waits until the time has passed or the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** The first problem of an error in one line. */
const causeOf = (error: unknown): string =>
  isReinsError(error) && error.problems[0] ? lineOf(error.problems[0]) : messageOf(error);

const lineOf = ({ code, message, hint }: Problem): string => `${code}: ${message}${hint ? ` (${hint})` : ''}`;
