import type { RunAddress } from '@reins/contracts';
import type { DueTimer } from '../run/run-ports.ts';
import type { Clock } from './clock.ts';

const RETRY_MS = 1_000;

/** Delivers timers to the inbox of their run: immediately, or by a schedule in the stream. */
export interface TimerPort {
  fire(timer: DueTimer): Promise<void>;
  schedule(timer: DueTimer): Promise<void>;
  /** Removes every scheduled timer of a run from the stream. */
  clear(run: RunAddress): Promise<void>;
}

export interface RunAlarmsOptions {
  readonly clock: Clock;
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
  readonly #inMemoryMs: number;
  readonly #onScheduled: RunAlarmsOptions['onScheduled'];
  /** By run id: cancels its wait. */
  readonly #waits = new Map<string, () => void>();
  #stopped = false;

  constructor(port: Pick<TimerPort, 'fire' | 'schedule'>, { clock, inMemoryMs, onScheduled }: RunAlarmsOptions) {
    this.#port = port;
    this.#clock = clock;
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

  /** Replaces the timer of the run with an action that runs a second later. */
  runSoon(runId: string, action: () => void): void {
    this.clear(runId);
    this.#wait(runId, RETRY_MS, action);
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

  #fire(runId: string, timer: DueTimer): void {
    const isDue = timer.due <= this.#now();
    const sent = isDue ? this.#port.fire(timer) : this.#port.schedule(timer);
    const again = () => {
      if (!this.#waits.has(runId)) this.#wait(runId, RETRY_MS, () => this.#fire(runId, timer));
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
