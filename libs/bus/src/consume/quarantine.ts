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
const UNMARK_AGAIN_MS = 1_000;
/**
 * A process this young is not given a message that is under suspicion already: one that ends again and again while it starts, for whatever
 * reason, would blame what it happened to be handed.
 */
const SETTLE_MS = 2_000;
/** With the first, unmarked crash this makes three. */
const MARKED_CRASHES = 2;

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
   * Waits for its turn, a message that is marked first until this process has been up for a while, then starts the work, or answers `crashed` without starting it. `work` resolves when the
   * handling has ended, however it did; it may take the suspicion away before.
   */
  async admit(seq: number, work: (absolve: () => Promise<void>) => Promise<void>): Promise<'handled' | 'crashed'> {
    if (await this.#isMarked(seq)) await this.#settled();
    const { promise: free, resolve: release } = Promise.withResolvers<void>();
    const before = this.#turn;
    this.#turn = free;
    await before;
    try {
      const revision = await this.#mark(seq);
      if (revision === 'crashed') return 'crashed';
      let unmarked: Promise<void> | undefined;
      const absolve = () => {
        release();
        unmarked ??= this.#unmark(seq, revision);
        return unmarked;
      };
      const handled = work(absolve).finally(() => void absolve());
      const probation = new AbortController();
      await Promise.race([
        handled,
        sleep(PROBATION_MS, undefined, { signal: probation.signal, ref: false }).catch(() => {}),
      ]);
      probation.abort();
      release();
      await handled;
      return 'handled';
    } finally {
      release();
    }
  }

  /** Forgets a message that was dead-lettered. */
  async forget(seq: number): Promise<void> {
    await (await this.#open()).delete(this.#key(seq)).catch(() => false);
  }

  async #isMarked(seq: number): Promise<boolean> {
    const mark = await this.#marked(seq).catch(() => undefined);
    return mark !== undefined && mark.owner !== this.#owner;
  }

  async #settled(): Promise<void> {
    const left = this.#since + SETTLE_MS - performance.now();
    if (left > 0) await sleep(left, undefined, { ref: false });
  }

  async #marked(seq: number): Promise<CrashMark | undefined> {
    return (await (await this.#open()).get(this.#key(seq)))?.value;
  }

  async #mark(seq: number): Promise<number | undefined | 'crashed'> {
    try {
      const bucket = await this.#open();
      const { crashes: begun = 0, owner } = (await this.#marked(seq)) ?? {};
      const crashes = owner === this.#owner ? begun - 1 : begun;
      if (crashes >= MARKED_CRASHES) return 'crashed';
      return await bucket.put(this.#key(seq), { crashes: crashes + 1, owner: this.#owner }, MARK_TTL_MS);
    } catch (error) {
      // The mark guards against a rare fault; without it the message is handled as any other.
      this.#bus.log.warn({ error: String(error) }, 'cannot mark a redelivered message');
      return undefined;
    }
  }

  /** Resolves after the first try. A mark that a lost link leaves behind would count as a crash when the process ends later: it is tried again. */
  async #unmark(seq: number, revision: number | undefined): Promise<void> {
    if (revision === undefined || this.#bus.state === 'closed') return;
    try {
      await (await this.#open()).delete(this.#key(seq), revision);
    } catch {
      void sleep(UNMARK_AGAIN_MS, undefined, { ref: false }).then(() => this.#unmark(seq, revision));
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
