import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from '../kv/bucket.ts';

interface CrashMark {
  readonly crashes: number;
  /**
   * The consumption that started handling. A mark of the same consumption was left by a lost connection, not by a
   * crash.
   */
  readonly owner: string;
}

const MARK_TTL_MS = 3_600_000;
/** A message that has not crashed the process for this long no longer blocks the other suspects. */
const PROBATION_MS = 5_000;
const UNMARK_RETRY_MS = 1_000;
/**
 * Minimum uptime before a message with one mark is handled again. It doubles with each further mark, but a message is
 * given up after this time. A process that is killed repeatedly for another reason must not blame the message that it
 * happened to receive, and needs time for its other messages between two attempts.
 */
const MIN_UPTIME_MS = 2_000;
/** Together with the first, unmarked crash this makes five. A poison message crashes its process every time. */
const MARKED_CRASHES = 4;
/**
 * Notifying the waiting run may crash the process as well. After this many crashes the message is dead-lettered without
 * notification.
 */
const NOTIFYING_CRASHES = 2;

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
  readonly #owner = randomUUID();
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
      const { crashes, revision } = await this.#mark(seq);
      let unmarked: Promise<void> | undefined;
      const clearPoisonSuspicion = () => {
        release();
        unmarked ??= this.#unmark(seq, revision);
        return unmarked;
      };
      const work =
        crashes < MARKED_CRASHES ? handle(clearPoisonSuspicion) : giveUp(crashes < MARKED_CRASHES + NOTIFYING_CRASHES);
      const done = work.finally(() => void clearPoisonSuspicion());
      if (await this.#outlivesProbation(done)) {
        this.#hanging += 1;
        release();
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

  /** How many earlier processes have marked the message and not removed their mark. */
  async #marksOfOthers(seq: number): Promise<number> {
    const mark = await this.#readMark(seq).catch(() => undefined);
    return mark === undefined || mark.owner === this.#owner ? 0 : mark.crashes;
  }

  async #minimumUptime(marks: number): Promise<void> {
    if (marks === 0) return;
    const neededMs = marks < MARKED_CRASHES ? MIN_UPTIME_MS * 2 ** (marks - 1) : MIN_UPTIME_MS;
    const left = this.#since + neededMs - performance.now();
    if (left > 0) await sleep(left, undefined, { ref: false });
  }

  async #readMark(seq: number): Promise<CrashMark | undefined> {
    return (await (await this.#open()).get(this.#key(seq)))?.value;
  }

  /** Writes the mark for this attempt. Returns the number of earlier crashes that marks record. */
  async #mark(seq: number): Promise<{ readonly crashes: number; readonly revision?: number }> {
    try {
      const bucket = await this.#open();
      const { crashes: attempts = 0, owner } = (await this.#readMark(seq)) ?? {};
      const crashes = owner === this.#owner ? attempts - 1 : attempts;
      const mark = { crashes: crashes + 1, owner: this.#owner };
      return { crashes, revision: await bucket.put(this.#key(seq), mark, MARK_TTL_MS) };
    } catch (error) {
      // The mark protects against a rare fault. Without it the message is handled like any other.
      this.#bus.log.warn({ error: String(error) }, 'marking a redelivered message failed');
      return { crashes: 0 };
    }
  }

  /**
   * Removes a mark. Resolves after the first attempt and retries in the background: a mark left behind would count as a
   * crash when the process ends later.
   */
  async #unmark(seq: number, revision: number | undefined): Promise<void> {
    if (revision === undefined || this.#bus.state === 'closed') return;
    try {
      await (await this.#open()).delete(this.#key(seq), revision);
    } catch {
      void sleep(UNMARK_RETRY_MS, undefined, { ref: false }).then(() => this.#unmark(seq, revision));
    }
  }

  #open(): Promise<TypedBucket<CrashMark>> {
    this.#bucket ??= openBucket<CrashMark>(this.#bus, 'claims');
    return this.#bucket;
  }

  #key(seq: number): string {
    return `crash.${this.#name}.${seq}`;
  }
}
