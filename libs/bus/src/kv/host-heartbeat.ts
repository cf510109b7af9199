import { setTimeout as sleep } from 'node:timers/promises';
import type { BusLog } from '../connection/settings.ts';
import type { TypedBucket } from './bucket.ts';
import { type Heartbeat, type LossNotice, lossNoticeKey, processHeartbeatKey } from './claim.ts';

/** Something that the heartbeat keeps alive. */
export interface Holding {
  /** The attempt, by `attemptKey`. */
  readonly key: string;
  /** Called at every beat: drops the claim if it expired by this process's monotonic clock. */
  expireIfLate(): void;
  /** Reads the stored claim, and drops it if it is not held any more. Rejects when the bus is unavailable. */
  verify(): Promise<void>;
}

export interface HostHeartbeatOptions {
  readonly host: string;
  readonly incarnation: string;
  readonly ttlMs: number;
}

export interface HeartbeatBuckets {
  readonly heartbeats: TypedBucket<Heartbeat>;
  readonly notices: TypedBucket<LossNotice>;
}

const RENEWALS = 3;
/** Most work ends before another host could check the claim. Then no heartbeat is needed. */
export const FIRST_HEARTBEAT_MS = 500;
/** Delay before a heartbeat is retried. */
const RETRY_MS = 100;

/**
 * The heartbeat of this process: one record for all claims that it holds, written while it holds any. It lists them, so
 * that a claim that the process does not know is not taken for a live one, for example after the log was restored from
 * an earlier copy.
 */
export class HostHeartbeat {
  readonly #log: BusLog;
  readonly #buckets: HeartbeatBuckets;
  readonly #options: HostHeartbeatOptions;
  readonly #held = new Set<Holding>();
  #isBeating = false;
  /** Revision of the last heartbeat that is known to be stored. */
  #revision: number | undefined;
  /** Revision of the last notice that was handled. */
  #noticeRevision: number | undefined;
  #isVerified = true;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(log: BusLog, buckets: HeartbeatBuckets, options: HostHeartbeatOptions) {
    this.#log = log;
    this.#buckets = buckets;
    this.#options = options;
  }

  /** Time before the last stored heartbeat was sent, by `performance.now()`. */
  get renewedAt(): number {
    return this.#renewedAt;
  }

  get incarnation(): string {
    return this.#options.incarnation;
  }

  /** Whether this process holds the attempt, or is claiming it. */
  holds(key: string): boolean {
    return [...this.#held].some((each) => each.key === key);
  }

  /** Lists a claim from now on. Call it before the claim is written: a later heartbeat without it denies the claim. */
  add(holding: Holding): void {
    this.#held.add(holding);
    if (!this.#isBeating) void this.#beatWhileHolding();
  }

  remove(holding: Holding): void {
    this.#held.delete(holding);
  }

  async #beatWhileHolding(): Promise<void> {
    this.#isBeating = true;
    const intervalMs = this.#options.ttlMs / RENEWALS;
    // Separate from the renewals, which may wait for a reply of the server.
    const timer = setInterval(() => this.#expireLate(), intervalMs).unref();
    await pause(Math.min(FIRST_HEARTBEAT_MS, intervalMs));
    while (this.#held.size > 0) await pause((await this.#beat()) ? intervalMs : RETRY_MS);
    clearInterval(timer);
    this.#isBeating = false;
  }

  #expireLate(): void {
    for (const each of [...this.#held]) each.expireIfLate();
  }

  /** @returns whether the heartbeat is stored, and all claims are known to be held */
  async #beat(): Promise<boolean> {
    try {
      await this.#renew();
      const notice = await this.#buckets.notices.get(lossNoticeKey(this.incarnation));
      if (notice && notice.revision !== this.#noticeRevision) this.#isVerified = false;
      if (this.#isVerified) return true;
      await Promise.all([...this.#held].map((each) => each.verify()));
      this.#noticeRevision = notice?.revision;
      this.#isVerified = true;
      return true;
    } catch (error) {
      this.#log.debug({ host: this.#options.host, error: String(error) }, 'heartbeat unanswered');
      return false;
    }
  }

  /**
   * Claims are read again if the stored heartbeat was not the last one of this process: it expired, its reply was lost,
   * or the log was restored from an earlier copy.
   */
  async #renew(): Promise<void> {
    const requestedAt = performance.now();
    if (this.#revision === undefined || !(await this.#write(this.#revision))) {
      if (this.#revision !== undefined) this.#isVerified = false;
      const stored = await this.#buckets.heartbeats.get(processHeartbeatKey(this.incarnation));
      if (!(await this.#write(stored?.revision))) throw new Error('the heartbeat was written concurrently');
    }
    this.#renewedAt = requestedAt;
  }

  async #write(expected: number | undefined): Promise<boolean> {
    const { host, incarnation, ttlMs } = this.#options;
    const { heartbeats } = this.#buckets;
    const key = processHeartbeatKey(incarnation);
    const value: Heartbeat = { host, holds: [...new Set([...this.#held].map((each) => each.key))] };
    const revision = await (expected === undefined
      ? heartbeats.create(key, value, ttlMs)
      : heartbeats.update(key, value, expected, ttlMs));
    if (revision !== undefined) this.#revision = revision;
    return revision !== undefined;
  }
}

const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });
