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
  /** By our own clock. A former owner stores no timers: the next owner may have ended the run. */
  readonly isOwner: () => boolean;
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
  readonly #isOwner: RunAlarmsOptions['isOwner'];
  /** By run id: cancels its wait, or the retry of its delivery. */
  readonly #waits = new Map<string, () => void>();
  /** By run id: its timers that are being stored in the stream. */
  readonly #scheduling = new Map<string, Promise<unknown>>();
  /** Runs whose timer we scheduled. */
  readonly #scheduled = new Set<string>();
  /** By run id: how often it failed in a row. */
  readonly #failures = new Map<string, number>();
  #stopped = false;

  constructor(
    port: Pick<TimerPort, 'fire' | 'schedule'>,
    { clock, inMemoryMs, isOwner, onScheduled, random }: RunAlarmsOptions,
  ) {
    this.#port = port;
    this.#clock = clock;
    this.#random = random;
    this.#inMemoryMs = inMemoryMs;
    this.#onScheduled = onScheduled;
    this.#isOwner = isOwner;
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

  /**
   * Cancels the timer of a run that ends, and waits for its timers that are being stored.
   * @returns whether we scheduled a timer of the run. None is scheduled from now on.
   */
  async end(runId: string): Promise<boolean> {
    this.clear(runId);
    await this.#scheduling.get(runId);
    return this.#scheduled.has(runId);
  }

  /** Cancels the timer of a run that leaves memory. */
  forget(runId: string): void {
    this.clear(runId);
    this.#scheduled.delete(runId);
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
    if (!this.#isOwner()) return;
    let isCancelled = false;
    this.#waits.set(runId, () => {
      isCancelled = true;
    });
    const isDue = timer.due <= this.#now();
    const sent = isDue ? this.#port.fire(timer) : this.#schedule(runId, timer);
    sent.then(
      () => {
        if (isCancelled) return;
        this.#waits.delete(runId);
        if (!isDue) this.#onScheduled(runId);
      },
      () => {
        if (!isCancelled) this.#wait(runId, this.#retryMs(tries), () => this.#fire(runId, timer, tries + 1));
      },
    );
  }

  #schedule(runId: string, timer: DueTimer): Promise<void> {
    const stored = this.#port.schedule(timer);
    const all = Promise.allSettled([this.#scheduling.get(runId), stored]);
    this.#scheduled.add(runId);
    this.#scheduling.set(runId, all);
    void all.then(() => {
      if (this.#scheduling.get(runId) === all) this.#scheduling.delete(runId);
    });
    return stored;
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
