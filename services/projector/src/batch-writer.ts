import { setTimeout as sleep } from 'node:timers/promises';
import { crashPoint } from '@reins/bus';
import { problemOf } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import {
  type BatchResult,
  type Checkpoint,
  type Database,
  isRefusedData,
  type LogItem,
  type LogMessage,
  unreadableMessage,
  writeBatch,
} from '@reins/store';

/** A message of the log, read, with the checkpoint behind it. */
export interface Step {
  readonly message: LogMessage;
  readonly item: LogItem;
  readonly checkpoint: Checkpoint;
}

export interface BatchWriterOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Told when Postgres goes away, and (undefined) when it is back. */
  readonly onState: (problem: string | undefined) => void;
  readonly onWritten: (result: BatchResult, seconds: number) => void;
}

const RETRY_MS = [50, 100, 250, 500, 1_000, 2_000] as const;

/**
 * Writes batches until they are written: waits for a Postgres that is away, and isolates the one message that it will not take, so that
 * nothing behind that one is held up.
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
      await this.untilDone(() => this.#once(items, last.checkpoint));
    } catch (error) {
      if (!isRefusedData(error)) throw error;
      await this.#isolate(steps, error);
    }
  }

  /** Tries again as long as Postgres is away. @throws what trying again does not mend, and the reason of the signal */
  async untilDone<T>(action: () => Promise<T>): Promise<T> {
    const { signal, log, onState } = this.#options;
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      try {
        const value = await action();
        onState(undefined);
        return value;
      } catch (error) {
        if (isRefusedData(error)) throw error;
        const { message } = problemOf(error);
        onState(message || 'Postgres cannot be reached');
        if (attempt === 0) log.warn({ err: error }, 'Postgres is away; waiting');
        await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)], undefined, { signal });
      }
    }
  }

  async #once(items: readonly LogItem[], checkpoint: Checkpoint): Promise<void> {
    const start = performance.now();
    const result = await writeBatch(this.#db, items, checkpoint);
    crashPoint('batch.written');
    this.#options.onWritten(result, (performance.now() - start) / 1000);
  }

  /** Halves the batch until the message that is refused stands alone, and keeps that one as unreadable. */
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
    this.#options.log.error(
      { seq: message.seq, subject: message.subject, err: error },
      'a message cannot be projected',
    );
    await this.untilDone(() => this.#once([{ unreadable }], step.checkpoint));
  }
}
