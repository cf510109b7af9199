import type { Lease } from '@reins/bus';
import { problemOf } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { Clock } from '../partition/clock.ts';

export interface RetentionSweeperPorts {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn'>;
  readonly intervalMs: number;
  /** When the last sweep started; undefined when there was none. */
  readonly lastStart: () => Promise<Date | undefined>;
  /** Removes what has expired. Stops early when `isStopped` says so. */
  readonly sweep: (isStopped: () => boolean) => Promise<void>;
}

/** The installation has one sweeper: the owner of this partition. */
export const SWEEPING_PARTITION = 0;

/** The delay of a sweep that is due, and after one that failed. */
const RETRY_MS = 10_000;

/** Removes what has expired, from time to time, while this process has the lease of the sweeping partition. */
export class RetentionSweeper {
  readonly #ports: RetentionSweeperPorts;
  readonly #lease: Lease;
  #cancel: () => void = () => {};
  #sweep: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(ports: RetentionSweeperPorts, lease: Lease) {
    this.#ports = ports;
    this.#lease = lease;
  }

  /** Starts the sweeps. They end with the lease. */
  start(): void {
    this.#lease.signal.addEventListener('abort', () => void this.stop(), { once: true });
    this.#sweep = this.#plan().catch(() => this.#sweepIn(RETRY_MS));
  }

  /** Stops the sweeps, and waits for the running one, which stops soon. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#sweep;
  }

  /** The next sweep is due an interval after the last one, also if another process did that. */
  async #plan(): Promise<void> {
    const { clock, intervalMs, lastStart } = this.#ports;
    const last = await lastStart();
    const since = last ? clock.now().getTime() - last.getTime() : 0;
    this.#sweepIn(Math.min(Math.max(intervalMs - since, RETRY_MS), intervalMs));
  }

  #sweepIn(ms: number): void {
    if (this.#hasStopped()) return;
    const { clock, log, sweep } = this.#ports;
    this.#cancel = clock.after(ms, () => {
      this.#sweep = sweep(() => this.#hasStopped())
        .then(() => this.#plan())
        .catch((error: unknown) => {
          if (!this.#hasStopped()) log.warn({ problem: problemOf(error) }, 'retention sweep failed');
          this.#sweepIn(RETRY_MS);
        });
    });
  }

  #hasStopped(): boolean {
    return this.#isStopped || !this.#lease.valid;
  }
}
