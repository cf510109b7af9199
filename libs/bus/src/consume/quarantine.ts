import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from '../kv/bucket.ts';

interface CrashMark {
  readonly crashes: number;
  /** The consumption that began; a mark of one's own did not end it, it was left behind by a lost link. */
  readonly owner: string;
}

const MARK_TTL_MS = 3_600_000;
/** A message that has not ended the process for this long no longer holds up the other suspects. */
const PROBATION_MS = 5_000;
const UNMARK_RETRY_MS = 1_000;
/**
 * A process this young is not given a message that is under suspicion already: one that ends again and again while it starts, for whatever
 * reason, would blame what it happened to be handed.
 */
const MIN_UPTIME_MS = 2_000;
/** With the first, unmarked crash this makes three. */
const MARKED_CRASHES = 2;
/** To tell those who wait for it may end the process, too. After so many of these it is set aside untold. */
const NOTIFYING_CRASHES = 2;

/** What may be done about a message. Each resolves when it has ended, however it did. */
export interface SuspectWork {
  /** @param absolve takes the suspicion away before the handling has ended */
  readonly handle: (clearPoisonSuspicion: () => Promise<void>) => Promise<void>;
  /** It ended its process too often. @param tells whether those who wait for it hear of it */
  readonly giveUp: (tells: boolean) => Promise<void>;
}

/**
 * Messages that may have ended the process that handled them. They run one at a time, each after a mark that survives a
 * crash, so that the one that is to blame is found and those that were merely beside it are not.
 */
export class Quarantine {
  readonly #bus: Bus;
  readonly #name: string;
  readonly #owner = randomUUID();
  readonly #since = performance.now();
  #bucket: Promise<TypedBucket<CrashMark>> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(bus: Bus, name: string) {
    this.#bus = bus;
    this.#name = name;
  }

  /**
   * Waits for its turn, a message that is marked first until this process has been up for a while, then has it handled, or given up. Resolves
   * when that has ended.
   */
  async admit(seq: number, { handle, giveUp }: SuspectWork): Promise<void> {
    if (await this.#isMarked(seq)) await this.#settled();
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
      const probation = new AbortController();
      await Promise.race([
        done,
        sleep(PROBATION_MS, undefined, { signal: probation.signal, ref: false }).catch(() => {}),
      ]);
      probation.abort();
      release();
      await done;
    } finally {
      release();
    }
  }

  async #isMarked(seq: number): Promise<boolean> {
    const mark = await this.#marked(seq).catch(() => undefined);
    return mark !== undefined && mark.owner !== this.#owner;
  }

  async #settled(): Promise<void> {
    const left = this.#since + MIN_UPTIME_MS - performance.now();
    if (left > 0) await sleep(left, undefined, { ref: false });
  }

  async #marked(seq: number): Promise<CrashMark | undefined> {
    return (await (await this.#open()).get(this.#key(seq)))?.value;
  }

  /** How often it ended a process before, as far as marks tell, and the mark for this time. */
  async #mark(seq: number): Promise<{ readonly crashes: number; readonly revision?: number }> {
    try {
      const bucket = await this.#open();
      const { crashes: begun = 0, owner } = (await this.#marked(seq)) ?? {};
      const crashes = owner === this.#owner ? begun - 1 : begun;
      const mark = { crashes: crashes + 1, owner: this.#owner };
      return { crashes, revision: await bucket.put(this.#key(seq), mark, MARK_TTL_MS) };
    } catch (error) {
      // The mark guards against a rare fault; without it the message is handled as any other.
      this.#bus.log.warn({ error: String(error) }, 'cannot mark a redelivered message');
      return { crashes: 0 };
    }
  }

  /** Resolves after the first try. A mark that a lost link leaves behind would count as a crash when the process ends later: it is tried again. */
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
