import { jittered } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import type { DueTimer } from '../run/run-ports.ts';
import type { Clock } from './clock.ts';

/** The first and the longest delay until an action that failed is repeated. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Delivers timers to the inbox of their run: immediately, or by a schedule in the stream. */
export interface TimerPort {
  fire(timer: DueTimer): Promise<void>;
  schedule(timer: DueTimer): Promise<void>;
  /** Removes every scheduled timer of a run from the stream. */
  clear(run: RunAddress): Promise<void>;
}

export interface RunAlarmsOptions {
  readonly clock: Clock;
  /** A random fraction from 0 to 1. */
  readonly random: () => number;
  /** A timer waits in memory for up to this long. After that it is scheduled in the stream. */
  readonly inMemoryMs: number;
  /** The timer of the run is in the stream, so the run may leave memory. */
  readonly onScheduled: (runId: string) => void;
}

/**
 * The next deadline of each run. A due deadline becomes an inbox message, so it is redelivered until it is handled.
 * A run that continues within seconds costs no message. For a longer wait the timer is scheduled in the stream.
 */
export class RunAlarms {
  readonly #port: Pick<TimerPort, 'fire' | 'schedule'>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #inMemoryMs: number;
  readonly #onScheduled: RunAlarmsOptions['onScheduled'];
  /** By run id: cancels its wait. */
  readonly #waits = new Map<string, () => void>();
  /** By run id: how often it failed in a row. */
  readonly #failures = new Map<string, number>();
  #stopped = false;

  constructor(
    port: Pick<TimerPort, 'fire' | 'schedule'>,
    { clock, inMemoryMs, onScheduled, random }: RunAlarmsOptions,
  ) {
    this.#port = port;
    this.#clock = clock;
    this.#random = random;
    this.#inMemoryMs = inMemoryMs;
    this.#onScheduled = onScheduled;
  }

  /** Replaces the timer of the run. */
  set(runId: string, timer: DueTimer | undefined): void {
    this.clear(runId);
    if (timer)
      this.#wait(runId, Math.min(Math.max(timer.due - this.#now(), 0), this.#inMemoryMs), () =>
        this.#fire(runId, timer),
      );
  }

  /** Replaces the timer of the run with an action that is retried. The delay grows until `succeeded`. */
  retry(runId: string, action: () => void): void {
    const tries = this.#failures.get(runId) ?? 0;
    this.#failures.set(runId, tries + 1);
    this.clear(runId);
    this.#wait(runId, this.#retryMs(tries), action);
  }

  /** The run does not fail any more. */
  succeeded(runId: string): void {
    this.#failures.delete(runId);
  }

  clear(runId: string): void {
    this.#waits.get(runId)?.();
    this.#waits.delete(runId);
  }

  /** Stops for good. A delivery that fails after this is not retried, because the run has another owner. */
  stop(): void {
    this.#stopped = true;
    for (const runId of [...this.#waits.keys()]) this.clear(runId);
  }

  #retryMs(tries: number): number {
    return jittered(Math.min(RETRY_MS * 2 ** tries, MAX_RETRY_MS), this.#random());
  }

  #fire(runId: string, timer: DueTimer, tries = 0): void {
    const isDue = timer.due <= this.#now();
    const sent = isDue ? this.#port.fire(timer) : this.#port.schedule(timer);
    const again = () => {
      if (!this.#waits.has(runId)) this.#wait(runId, this.#retryMs(tries), () => this.#fire(runId, timer, tries + 1));
    };
    sent.then(() => {
      if (!isDue && !this.#waits.has(runId)) this.#onScheduled(runId);
    }, again);
  }

  #wait(runId: string, ms: number, action: () => void): void {
    if (this.#stopped) return;
    const cancel = this.#clock.after(ms, () => {
      this.#waits.delete(runId);
      action();
    });
    this.#waits.set(runId, cancel);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
