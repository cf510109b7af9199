import type { RunAddress } from '@reins/contracts';
import type { DueTimer } from '../run/run-ports.ts';
import type { Clock } from './clock.ts';

const RETRY_MS = 1_000;

/** Where a timer goes in the stop: into the inbox of its run, at once or by the server. */
export interface TimerPort {
  fire(timer: DueTimer): Promise<void>;
  schedule(timer: DueTimer): Promise<void>;
  /** Takes away every timer of a run that the server holds. */
  clear(run: RunAddress): Promise<void>;
}

export interface RunAlarmsOptions {
  readonly clock: Clock;
  /** Waits up to this long live in this process alone; longer ones are handed to the stream when they have lasted so long. */
  readonly inMemoryMs: number;
  /** A run's timer is in the stream: the run need not be in memory for it. */
  readonly onScheduled: (runId: string) => void;
}

/**
 * The next deadline of each run. When it is due it becomes a message of the inbox, and is handled like every other: delivered
 * again until what follows from it is done. A run that moves on within seconds costs nothing; one that waits for long has its
 * timer in the stream.
 */
export class RunAlarms {
  readonly #port: Pick<TimerPort, 'fire' | 'schedule'>;
  readonly #clock: Clock;
  readonly #inMemoryMs: number;
  readonly #onScheduled: RunAlarmsOptions['onScheduled'];
  /** What calls off the wait of each run. */
  readonly #waits = new Map<string, () => void>();
  #stopped = false;

  constructor(port: Pick<TimerPort, 'fire' | 'schedule'>, { clock, inMemoryMs, onScheduled }: RunAlarmsOptions) {
    this.#port = port;
    this.#clock = clock;
    this.#inMemoryMs = inMemoryMs;
    this.#onScheduled = onScheduled;
  }

  /** In place of any timer set for the run before. */
  set(runId: string, timer: DueTimer | undefined): void {
    this.clear(runId);
    if (timer)
      this.#wait(runId, Math.min(Math.max(timer.due - this.#now(), 0), this.#inMemoryMs), () =>
        this.#fire(runId, timer),
      );
  }

  /** Does something about a run a little later, in place of its timer. */
  runSoon(runId: string, action: () => void): void {
    this.clear(runId);
    this.#wait(runId, RETRY_MS, action);
  }

  clear(runId: string): void {
    this.#waits.get(runId)?.();
    this.#waits.delete(runId);
  }

  /** For good: a timer that is on its way and does not arrive is not tried again, its run has another owner. */
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
