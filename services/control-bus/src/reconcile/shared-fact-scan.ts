import { setImmediate as afterOtherTasks } from 'node:timers/promises';
import type { StoredFact } from './reconciler-ports.ts';
import type { ScanTurns } from './scan-turns.ts';

/** A fact with its place in the event log, and the partition of its run. */
export interface LoggedFact {
  readonly seq: number;
  readonly partition: number;
  readonly fact: StoredFact;
}

interface Reader {
  readonly partition: number;
  readonly after: number;
  readonly signal: AbortSignal;
  readonly facts: StoredFact[];
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Reads the event log once for all partitions that need its facts at the same time. No subject has the partition of a
 * fact, so each partition has to read the facts of all.
 */
export class SharedFactScan {
  readonly #turns: ScanTurns;
  readonly #read: (after: number) => AsyncIterable<LoggedFact>;
  #waiting: Reader[] = [];

  /** @param read reads the facts of all partitions after a sequence */
  constructor(turns: ScanTurns, read: (after: number) => AsyncIterable<LoggedFact>) {
    this.#turns = turns;
    this.#read = read;
  }

  /**
   * The facts of a partition after a sequence.
   * @throws the reason of the signal; what the read throws
   */
  async *factsOf(partition: number, after: number, signal: AbortSignal): AsyncGenerator<StoredFact> {
    signal.throwIfAborted();
    const reader: Reader = { partition, after, signal, facts: [], done: Promise.withResolvers() };
    const leave = (): void => reader.done.reject(signal.reason);
    signal.addEventListener('abort', leave);
    try {
      this.#waiting.push(reader);
      // The scan of the first one takes all that wait when its turn comes.
      if (this.#waiting.length === 1) void this.#scan();
      await reader.done.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    yield* reader.facts;
  }

  async #scan(): Promise<void> {
    let readers: readonly Reader[] = [];
    const start = (): AsyncIterable<LoggedFact> => {
      readers = this.#waiting;
      this.#waiting = [];
      return this.#read(Math.min(...readers.map(({ after }) => after)));
    };
    try {
      for await (const { seq, partition, fact } of this.#turns.run(() => startLast(start))) {
        const current = readers.filter(({ signal }) => !signal.aborted);
        if (current.length === 0) return;
        for (const reader of current) if (reader.partition === partition && seq > reader.after) reader.facts.push(fact);
      }
      for (const { done } of readers) done.resolve();
    } catch (error) {
      for (const { done } of readers) done.reject(error);
    }
  }
}

/** Lets those join whose turn has just ended. */
async function* startLast<T>(start: () => AsyncIterable<T>): AsyncGenerator<T> {
  await afterOtherTasks();
  yield* start();
}
