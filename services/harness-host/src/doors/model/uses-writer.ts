import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jittered, type TypedBucket } from '@reins/bus';
import { type ErrorInfo, isReinsError, ReinsError } from '@reins/contracts';
import type { Reservation } from './call-budget.ts';
import { NO_USES, totalOf, type UseChange, type Uses, usesAfter, usesWithKnown, writtenBy } from './shared-uses.ts';

/** The uses of all requests whose stages share a budget. */
export type UsesBucket = Pick<TypedBucket<Uses>, 'get' | 'create' | 'update'>;

/** A change that waits until it is stored. A correction has no refusal: it is tried until it is stored. */
interface WaitingChange extends UseChange {
  /** Why it does not fit; undefined if it does. */
  readonly refusal?: (used: Reservation) => ErrorInfo | undefined;
  /** By `performance.now()`. */
  readonly expiresAt: number;
  readonly done: PromiseWithResolvers<ErrorInfo | undefined>;
  isExpired?: boolean;
}

interface Decided {
  readonly change: WaitingChange;
  readonly refused: ErrorInfo | undefined;
}

/** A write, until it is known whether it was stored. */
interface Write {
  readonly number: number;
  readonly expected: number;
  readonly value: Uses;
  readonly decided: readonly Decided[];
}

/** Longer than any request is expected to take. Each write renews it. */
const KEEP_MS = 30 * 24 * 3_600_000;
const RESERVE_WITHIN_MS = 30_000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 1000;

/** The writers of one host: one for each budget, as long as it has something to write. */
export class UsesWriters {
  readonly #bucket: UsesBucket;
  readonly #id = `w${randomUUID().slice(0, 8)}`;
  readonly #writers = new Map<string, UsesWriter>();
  #writes = 0;

  constructor(bucket: UsesBucket) {
    this.#bucket = bucket;
  }

  /**
   * Adds to the uses unless that is refused. Resolves with the refusal.
   * @throws ReinsError `bus_unavailable` when it could not be stored in time
   */
  reserve(key: string, change: UseChange, refusal: (used: Reservation) => ErrorInfo | undefined) {
    return this.#writerOf(key).add({ ...change, refusal, expiresAt: performance.now() + RESERVE_WITHIN_MS });
  }

  /** Adds to the uses. Resolves when it is stored, which is tried as long as the host lives. */
  async correct(key: string, change: UseChange): Promise<void> {
    await this.#writerOf(key).add({ ...change, expiresAt: Number.POSITIVE_INFINITY });
  }

  #writerOf(key: string): UsesWriter {
    const known = this.#writers.get(key);
    if (known) return known;
    const writer = new UsesWriter({
      bucket: this.#bucket,
      key,
      writerId: this.#id,
      nextNumber: () => {
        this.#writes += 1;
        return this.#writes;
      },
      onIdle: () => this.#writers.delete(key),
    });
    this.#writers.set(key, writer);
    return writer;
  }
}

interface WriterParts {
  readonly bucket: UsesBucket;
  readonly key: string;
  readonly writerId: string;
  readonly nextNumber: () => number;
  readonly onIdle: () => void;
}

/** Stores all changes that wait with one compare-and-set. Other hosts may write at the same time. */
class UsesWriter {
  readonly #parts: WriterParts;
  #waiting: WaitingChange[] = [];
  #unsure: Write | undefined;
  #isRunning = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  add(change: Omit<WaitingChange, 'done'>): Promise<ErrorInfo | undefined> {
    const done = Promise.withResolvers<ErrorInfo | undefined>();
    this.#waiting.push({ ...change, done });
    if (!this.#isRunning) void this.#run();
    return done.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let tries = 0; this.#waiting.length > 0; ) {
      const error = await this.#try().catch((thrown: unknown) => thrown ?? 'failed');
      if (error === undefined) {
        tries = 0;
        continue;
      }
      this.#expire(error);
      // A process that has nothing else to do may end.
      await sleep(jittered(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries), Math.random()), undefined, {
        ref: false,
      });
      tries = Math.min(tries + 1, 10);
    }
    this.#isRunning = false;
    this.#parts.onIdle();
  }

  /** Resolves with undefined when the changes are stored, otherwise with why they are not. */
  async #try(): Promise<unknown> {
    const { bucket, key, writerId } = this.#parts;
    const entry = await bucket.get(key);
    const { value: uses, revision } = entry ?? { value: NO_USES, revision: 0 };
    const unsure = this.#unsure;
    this.#unsure = undefined;
    if (unsure && uses.writes[writerId] === unsure.number) return this.#finish(unsure);
    // It may still arrive, so it must not be replaced by another one.
    const write = unsure?.expected === revision ? unsure : this.#next(uses, revision);
    if (write.decided.every(({ refused }) => refused)) return this.#finish(write);
    this.#unsure = write;
    const stored = await (entry
      ? bucket.update(key, write.value, revision, KEEP_MS)
      : bucket.create(key, write.value, KEEP_MS));
    if (stored === undefined) return BUSY;
    this.#unsure = undefined;
    return this.#finish(write);
  }

  #next(before: Uses, expected: number): Write {
    this.#waiting = this.#waiting.filter(({ isExpired }) => !isExpired);
    let uses = before;
    const decided = this.#waiting.map((change) => {
      const refused = change.refusal?.(totalOf(usesWithKnown(uses, change)));
      if (!refused) uses = usesAfter(uses, change);
      return { change, refused };
    });
    const number = this.#parts.nextNumber();
    return { number, expected, value: writtenBy(uses, this.#parts.writerId, number), decided };
  }

  #finish({ decided }: Write): undefined {
    this.#waiting = this.#waiting.slice(decided.length);
    for (const { change, refused } of decided) {
      change.done.resolve(refused);
      if (change.isExpired && !refused) void this.add(givenBack(change));
    }
  }

  /** After any other error than `bus_unavailable`, nothing was stored, and waiting does not help a reservation. */
  #expire(error: unknown): void {
    const isFinal = !isReinsError(error) || error.code !== 'bus_unavailable';
    if (isFinal) this.#unsure = undefined;
    for (const change of this.#waiting) {
      const isOver = change.expiresAt <= performance.now() || (isFinal && change.refusal !== undefined);
      if (!isOver || change.isExpired) continue;
      change.isExpired = true;
      change.done.reject(error);
    }
  }
}

const BUSY = new ReinsError({ code: 'bus_unavailable', message: 'the budget usage could not be recorded' });

/** Undoes the reservation of a call that is no longer expected. */
const givenBack = ({ runId, added: { tokens, costUsd } }: WaitingChange): Omit<WaitingChange, 'done'> => ({
  runId,
  added: { tokens: -tokens, costUsd: -costUsd },
  expiresAt: Number.POSITIVE_INFINITY,
});
