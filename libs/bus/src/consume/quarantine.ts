import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Problem, ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from '../kv/bucket.ts';
import { type CrashMark, crashesOf, NO_MARK, withAttempt, withOutlived, withoutAttempt } from './crash-mark.ts';

const MARK_TTL_MS = 3_600_000;
/** A message that has not crashed the process for this long no longer blocks the other suspects. */
const PROBATION_MS = 5_000;
const UNMARK_RETRY_MS = 1_000;
/** Only the previous process, which withdraws its attempt late, writes the same mark. */
const CHANGE_TRIES = 5;
/**
 * Minimum uptime before a message with one mark is handled again. It doubles with each further mark, but a message is
 * given up after this time. A process that is killed repeatedly for another reason must not blame the message that it
 * happened to receive, and needs time for its other messages between two attempts.
 */
const MIN_UPTIME_MS = 2_000;
/**
 * Together with the first, unmarked crash this makes five. A poison message crashes its process every time. A crash after
 * the probation counts less, see `crashesOf`.
 */
const MARKED_CRASHES = 4;
/**
 * Notifying the waiting run may crash the process as well. After this many crashes the message is dead-lettered without
 * notification.
 */
const NOTIFYING_CRASHES = 2;

const UNMARKED = { value: NO_MARK, revision: 0 };

/** The problem of a message that is given up. */
export const CRASHED: Problem = {
  code: 'delivery_crashed',
  message: 'the process crashed every time it handled this message',
};

/**
 * How long a message blocks the other suspects if its handling does not end. Any number of such messages together block
 * them for twice as long as the first one. @param hanging earlier ones that are still being handled
 */
export const probationMs = (hanging: number): number => PROBATION_MS / 2 ** hanging;

/** What the quarantine does with a message. Each function resolves when its work has ended, whatever the result. */
export interface SuspectWork {
  /** @param clearPoisonSuspicion removes the suspicion before the handling has ended */
  readonly handle: (clearPoisonSuspicion: () => Promise<void>) => Promise<void>;
  /**
   * Gives up a message that crashed its process too often.
   * @param notify whether `onDead` is called first
   */
  readonly giveUp: (notify: boolean) => Promise<void>;
}

/**
 * Handles messages that may have crashed the process. They run one at a time, each after a mark that survives a crash.
 * This finds the poison message among the messages that were in flight with it.
 */
export class Quarantine {
  readonly #bus: Bus;
  readonly #name: string;
  readonly #since = performance.now();
  /** Messages that are still being handled after their probation. */
  #hanging = 0;
  #bucket: Promise<TypedBucket<CrashMark>> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(bus: Bus, name: string) {
    this.#bus = bus;
    this.#name = name;
  }

  /**
   * Handles or gives up a suspected message when its turn comes. A marked message first waits until this process has
   * the minimum uptime. Resolves when the work has ended.
   */
  async admit(seq: number, { handle, giveUp }: SuspectWork): Promise<void> {
    await this.#minimumUptime(await this.#marksOfOthers(seq));
    const { promise: free, resolve: release } = Promise.withResolvers<void>();
    const before = this.#turn;
    this.#turn = free;
    await before;
    try {
      const { crashes, attempt } = await this.#mark(seq);
      let unmarked: Promise<void> | undefined;
      const clearPoisonSuspicion = () => {
        release();
        unmarked ??= this.#unmark(seq, attempt);
        return unmarked;
      };
      const work =
        crashes < MARKED_CRASHES ? handle(clearPoisonSuspicion) : giveUp(crashes < MARKED_CRASHES + NOTIFYING_CRASHES);
      const done = work.finally(() => void clearPoisonSuspicion());
      if (await this.#outlivesProbation(done)) {
        this.#hanging += 1;
        release();
        if (!unmarked) await this.#markOutlived(seq, attempt);
        await done.finally(() => {
          this.#hanging -= 1;
        });
      }
    } finally {
      release();
    }
  }

  async #outlivesProbation(done: Promise<void>): Promise<boolean> {
    const ended = new AbortController();
    const probation = sleep(probationMs(this.#hanging), true, { signal: ended.signal, ref: false });
    try {
      return await Promise.race([done.then(() => false), probation]);
    } finally {
      ended.abort();
      probation.catch(() => {});
    }
  }

  /** How many crashes the marks of other processes amount to. */
  async #marksOfOthers(seq: number): Promise<number> {
    const { value } = await this.#readMark(seq).catch(() => UNMARKED);
    return crashesOf(value, this.#bus.id);
  }

  async #minimumUptime(marks: number): Promise<void> {
    if (marks === 0) return;
    const neededMs = marks < MARKED_CRASHES ? MIN_UPTIME_MS * 2 ** (marks - 1) : MIN_UPTIME_MS;
    const left = this.#since + neededMs - performance.now();
    if (left > 0) await sleep(left, undefined, { ref: false });
  }

  async #readMark(seq: number): Promise<{ readonly value: CrashMark; readonly revision: number }> {
    const entry = await (await this.#open()).get(this.#key(seq));
    if (!entry) return UNMARKED;
    // Earlier versions stored a mark of another form, which expires after an hour.
    return entry.value.attempts ? entry : { ...entry, value: NO_MARK };
  }

  /**
   * Adds an attempt of this process to the mark.
   * @returns the number of crashes that the attempts of other processes amount to
   */
  async #mark(seq: number): Promise<{ readonly crashes: number; readonly attempt: string }> {
    const id = randomUUID();
    let crashes = 0;
    try {
      await this.#change(seq, (mark) => {
        crashes = crashesOf(mark, this.#bus.id);
        return withAttempt(mark, { id, by: this.#bus.id });
      });
    } catch (error) {
      // The mark protects against a rare fault. Without it the message is handled like any other.
      this.#bus.log.warn({ error: String(error) }, 'marking a redelivered message failed');
    }
    return { crashes, attempt: id };
  }

  async #markOutlived(seq: number, attempt: string): Promise<void> {
    try {
      await this.#change(seq, (mark) => withOutlived(mark, attempt));
    } catch (error) {
      this.#bus.log.warn({ error: String(error) }, 'marking a message that is still being handled failed');
    }
  }

  /**
   * Removes an attempt that ended, and those before it, from the mark, also after another process has added its own.
   * Resolves after the first try and retries in the background: an attempt left behind would count as a crash.
   */
  async #unmark(seq: number, attempt: string): Promise<void> {
    if (this.#bus.state === 'closed') return;
    try {
      await this.#change(seq, (mark) => withoutAttempt(mark, attempt));
    } catch {
      void sleep(UNMARK_RETRY_MS, undefined, { ref: false }).then(() => this.#unmark(seq, attempt));
    }
  }

  /** Replaces the mark by compare-and-set. A mark without attempts is deleted. @throws bus errors */
  async #change(seq: number, change: (mark: CrashMark) => CrashMark): Promise<void> {
    const bucket = await this.#open();
    const key = this.#key(seq);
    for (let tries = 0; tries < CHANGE_TRIES; tries += 1) {
      const { value, revision } = await this.#readMark(seq);
      const next = change(value);
      if (next.attempts.length === 0) {
        if (revision === 0 || (await bucket.delete(key, revision))) return;
      } else if (revision === 0) {
        if ((await bucket.create(key, next, MARK_TTL_MS)) !== undefined) return;
      } else if ((await bucket.update(key, next, revision, MARK_TTL_MS)) !== undefined) return;
    }
    throw new ReinsError({ code: 'bus_unavailable', message: `the suspicion mark ${key} changed too often` });
  }

  #open(): Promise<TypedBucket<CrashMark>> {
    this.#bucket ??= openBucket<CrashMark>(this.#bus, 'claims');
    return this.#bucket;
  }

  #key(seq: number): string {
    return `crash.${this.#name}.${seq}`;
  }
}
