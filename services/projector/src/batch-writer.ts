import { setTimeout as sleep } from 'node:timers/promises';
import { crashPoint } from '@reins/bus';
import { problemOf } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import {
  type BatchResult,
  type Database,
  isRejectedData,
  type LogItem,
  type LogMessage,
  type ProjectionPosition,
  unreadableMessage,
  writeBatch,
} from '@reins/store';

/** A message of the event log, its parsed item, and the position after it. */
export interface Step {
  readonly message: LogMessage;
  readonly item: LogItem;
  readonly position: ProjectionPosition;
}

export interface BatchWriterOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Called with a problem when Postgres becomes unavailable, and with undefined when it is back. */
  readonly onState: (problem: string | undefined) => void;
  readonly onWritten: (result: BatchResult, seconds: number) => void;
}

const RETRY_MS = [50, 100, 250, 500, 1_000, 2_000] as const;

/**
 * Writes batches. It retries while Postgres is unavailable, and isolates a message that Postgres rejects, so that it
 * does not block later ones.
 */
export class BatchWriter {
  readonly #db: Database;
  readonly #options: BatchWriterOptions;

  constructor(db: Database, options: BatchWriterOptions) {
    this.#db = db;
    this.#options = options;
  }

  async write(steps: readonly Step[]): Promise<void> {
    const last = steps.at(-1);
    if (!last) return;
    const items = steps.map((step) => step.item);
    try {
      await this.retryWhileUnavailable(() => this.#once(items, last.position));
    } catch (error) {
      if (!isRejectedData(error)) throw error;
      await this.#isolate(steps, error);
    }
  }

  /**
   * Retries an action while Postgres is unavailable.
   * @throws an error that a retry does not fix, or the abort reason of the signal
   */
  async retryWhileUnavailable<T>(action: () => Promise<T>): Promise<T> {
    const { signal, log, onState } = this.#options;
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      try {
        const value = await action();
        onState(undefined);
        return value;
      } catch (error) {
        if (isRejectedData(error)) throw error;
        const { message } = problemOf(error);
        onState(message || 'Postgres is unreachable');
        if (attempt === 0) log.warn({ err: error }, 'Postgres is unavailable; retrying');
        await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)], undefined, { signal });
      }
    }
  }

  async #once(items: readonly LogItem[], position: ProjectionPosition): Promise<void> {
    const start = performance.now();
    const result = await writeBatch(this.#db, items, position);
    crashPoint('batch.written');
    this.#options.onWritten(result, (performance.now() - start) / 1000);
  }

  /** Splits the batch in halves until the rejected message is alone, and stores that one as unreadable. */
  async #isolate(steps: readonly Step[], error: unknown): Promise<void> {
    if (steps.length > 1) {
      const middle = steps.length >> 1;
      await this.write(steps.slice(0, middle));
      await this.write(steps.slice(middle));
      return;
    }
    const [step] = steps;
    if (!step || !('event' in step.item)) throw error;
    const { message } = step;
    const unreadable = unreadableMessage(message, { code: 'event_unstorable', message: problemOf(error).message });
    this.#options.log.error({ seq: message.seq, subject: message.subject, err: error }, 'message rejected by Postgres');
    await this.retryWhileUnavailable(() => this.#once([{ unreadable }], step.position));
  }
}
