import { messageOf, type ProcessExit } from '@reins/embedded';
import type { PartExit, PartState, PartStatus } from './api.ts';

/** A started process that takes work. */
export interface Launched {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  stop(deadlineMs?: number): Promise<ProcessExit>;
  kill(): Promise<ProcessExit>;
}

/**
 * Starts the process; resolves when it takes work. The first start has a deadline, later ones wait as long as the process lives:
 * it may only be waiting for another part. The signal says that it is not wanted any more.
 */
export type Launch = (
  cancelled: AbortSignal,
  start: 'first' | 'later',
  /** Told of the process as soon as there is one, long before it takes work. */
  begun: (process: Launched) => void,
) => Promise<Launched>;

export interface SupervisedOptions {
  readonly name: string;
  readonly launch: Launch;
  readonly log: (line: string) => void;
  readonly onExit: (exit: PartExit) => void;
  readonly stopWithinMs: number;
  /** Pauses between starts grow from the first to the second. */
  readonly backoffMs?: readonly [first: number, most: number];
}

/** A process that ran this long has recovered: the next pause is the first one again. */
const RECOVERED_AFTER_MS = 30_000;

/** One part of the system: a process that is started again whenever it ends without being told to. */
export class Supervised {
  readonly name: string;
  readonly #options: SupervisedOptions;
  readonly #cancel = new AbortController();
  #state: PartState = 'starting';
  #process: Launched | undefined;
  /** The one that does not take work yet. */
  #starting: Launched | undefined;
  #restarts = 0;
  #failures = 0;
  #lastExit: ProcessExit | undefined;
  #ready = Promise.withResolvers<void>();
  #life: Promise<void> | undefined;
  /** As long as it is pending, the process is not started again. */
  #held: Promise<void> = Promise.resolve();

  constructor(options: SupervisedOptions) {
    this.name = options.name;
    this.#options = options;
    this.#ready.promise.catch(() => {}); // who asks hears of it; nobody has to ask
  }

  /** The first start. It fails where later ones are repeated: what never worked is the operator's to mend. */
  async start(): Promise<void> {
    const process = await this.#launch('first');
    this.#life = this.#keep(process);
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

  /** Ends the process as a crash would, and keeps it away. @returns what lets it start again */
  async hold(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    this.#cancel.signal.addEventListener('abort', () => resolve(), { once: true });
    await this.kill();
    return resolve;
  }

  /** It is not wanted any more: a start that goes on is given up. What runs goes on until `stop`. */
  cancel(): void {
    this.#cancel.abort();
  }

  async stop(): Promise<void> {
    this.cancel();
    await this.#process?.stop(this.#options.stopWithinMs);
    await this.#life;
    this.#state = 'stopped';
    this.#ready.reject(new Error(`${this.name} was stopped`));
  }

  async #launch(start: 'first' | 'later'): Promise<Launched> {
    const begun = (process: Launched): void => {
      this.#starting = process;
    };
    try {
      return await this.#options.launch(this.#cancel.signal, start, begun);
    } finally {
      this.#starting = undefined;
    }
  }

  /** Lives with the process, and with the ones that follow it, until it is told to stop. */
  async #keep(first: Launched): Promise<void> {
    for (let process: Launched | undefined = first; process; process = await this.#again()) {
      await this.#attend(process);
    }
  }

  async #attend(process: Launched): Promise<void> {
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
    this.#options.log(`${this.name} ended with ${exit.signal ?? `code ${exit.code}`}; it is started again`);
    this.#options.onExit({ name: this.name, ...exit });
  }

  /** Starts it again, and again, with growing pauses; undefined when it is not wanted any more. */
  async #again(): Promise<Launched | undefined> {
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
        if (!signal.aborted) this.#options.log(`${this.name} did not start: ${messageOf(error)}`);
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

/** Waits, but not longer than until the signal. */
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
