import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestRecord } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';

/** Pauses before the attempts: two minutes in total. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000] as const;
/** The most records that wait for another attempt. */
const MAX_WAITING = 1_000;

export interface LateRecordsOptions<R> {
  readonly store: (record: R) => Promise<unknown>;
  readonly log: Pick<Logger, 'warn'>;
  /** Pauses before the attempts. */
  readonly pausesMs?: readonly number[];
}

/**
 * Stores records in the background whose first attempt failed. A record is given up and logged after the last attempt. Its
 * request runs nevertheless.
 */
export class LateRecords<R extends RequestRecord> {
  readonly #options: LateRecordsOptions<R>;
  readonly #waiting = new Set<R>();
  readonly #stop = new AbortController();

  constructor(options: LateRecordsOptions<R>) {
    this.#options = options;
  }

  /**
   * @param error the error of the first attempt
   * @param isCurrent whether NATS is certain to have the command of the request. If a restore may have removed it, the
   * record would belong to a request that never starts.
   * @returns a promise of the end of the attempts
   */
  async add(record: R, error: unknown, isCurrent: () => boolean): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) return this.#giveUp(record, error);
    this.#waiting.add(record);
    const last = await this.#retry(record, error, isCurrent);
    this.#waiting.delete(record);
    if (last !== undefined) this.#giveUp(record, last);
  }

  close(): void {
    this.#stop.abort();
  }

  /** @returns the last error; undefined when the record is stored */
  async #retry(record: R, first: unknown, isCurrent: () => boolean): Promise<unknown> {
    const { store, pausesMs = PAUSES_MS } = this.#options;
    const { signal } = this.#stop;
    let last = first;
    for (const pauseMs of pausesMs) {
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted || !isCurrent()) return last;
      try {
        await store(record);
        return undefined;
      } catch (error) {
        last = error;
      }
    }
    return last;
  }

  #giveUp({ requestId, workspaceId }: R, error: unknown): void {
    this.#options.log.warn({ requestId, workspaceId, err: error }, 'record of an accepted request not stored');
  }
}
