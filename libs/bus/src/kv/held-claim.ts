import { setTimeout as sleep } from 'node:timers/promises';
import type { BusLog } from '../connection/settings.ts';
import type { TypedBucket } from './bucket.ts';
import { CLAIM_TTL_MS, type Claim, type Heartbeat, heartbeatKey, type StoredAnswer } from './claim.ts';

interface Taken {
  readonly effectId: string;
  readonly claim: Claim;
  readonly ttlMs: number;
  readonly revision: number;
  /** By `performance.now()`, before the request that took it was sent. */
  readonly asked: number;
}

const RENEWALS = 3;
const SAFETY_SHARE = 0.8;
/** Most work is done before anybody could ask whether somebody works on it: then no beat is needed at all. */
export const FIRST_HEARTBEAT_MS = 500;
/** Until the first beat is tried again. */
const RETRY_MS = 50;

/** A claim of this process, kept alive by a heartbeat. */
export class HeldClaim {
  readonly effectId: string;
  readonly attempt: number;
  readonly #log: BusLog;
  readonly #buckets: { readonly claims: TypedBucket<Claim>; readonly heartbeats: TypedBucket<Heartbeat> };
  readonly #taken: Taken;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #begun: Promise<void>;
  /** Revision of the last beat that is known to be stored. */
  #beat: number | undefined;
  #renewedAt: number;
  #released: Promise<void> | undefined;
  readonly #ending = new AbortController();

  constructor(log: BusLog, buckets: { claims: TypedBucket<Claim>; heartbeats: TypedBucket<Heartbeat> }, taken: Taken) {
    this.effectId = taken.effectId;
    this.attempt = taken.claim.attempt;
    this.#log = log;
    this.#buckets = buckets;
    this.#taken = taken;
    this.#renewedAt = taken.asked;
    this.#timer = setInterval(() => this.#tick(), taken.ttlMs / RENEWALS);
    this.#begun = this.#begin();
  }

  /**
   * Aborts when a renewal was late by the own monotonic clock, or refused: somebody else may be at work, so stop the
   * tools.
   */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** By this process's own monotonic clock, also right after it was frozen for a while. */
  get valid(): boolean {
    return !this.#abort.signal.aborted && performance.now() - this.#renewedAt < this.#taken.ttlMs * SAFETY_SHARE;
  }

  /**
   * Keeps the answer, or where it is, for repeats, and ends the heartbeat. False: a later attempt was claimed meanwhile. May be
   * tried again after an error, whether or not it was stored by then.
   */
  async answered(kept: StoredAnswer): Promise<boolean> {
    const { claim, revision } = this.#taken;
    const answer: Claim = { ...claim, state: 'answered', ...kept };
    const stored = await this.#buckets.claims.update(this.effectId, answer, revision, CLAIM_TTL_MS);
    const isKept = stored !== undefined || (await this.#isKept(answer));
    void this.release();
    return isKept;
  }

  /** Whether an earlier write of the same, whose acknowledgement was lost, is what stands there. */
  async #isKept(answer: Claim): Promise<boolean> {
    const current = (await this.#buckets.claims.get(this.effectId))?.value;
    return current !== undefined && claimText(current) === claimText(answer);
  }

  /** Ends the heartbeat without an answer: the attempt counts as expired from now on. */
  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#begun;
    if (this.#beat === undefined) return;
    await this.#buckets.heartbeats.delete(heartbeatKey(this.effectId, this.attempt), this.#beat).catch(() => false);
  }

  /** Until its first beat is stored the attempt looks as if nobody lived who works on it. */
  async #begin(): Promise<void> {
    const { signal } = this.#ending;
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
    for (
      await pause(FIRST_HEARTBEAT_MS);
      this.#beat === undefined && !signal.aborted && this.valid;
      await pause(RETRY_MS)
    )
      await this.#renew();
  }

  #tick(): void {
    if (!this.valid) this.#lose('its renewal is late');
    else if (this.#beat !== undefined) void this.#renew();
  }

  async #renew(): Promise<void> {
    const asked = performance.now();
    const { claim, ttlMs } = this.#taken;
    const { heartbeats } = this.#buckets;
    const [key, value] = [heartbeatKey(this.effectId, this.attempt), { host: claim.host }];
    try {
      const beat = await (this.#beat === undefined
        ? heartbeats.create(key, value, ttlMs)
        : heartbeats.update(key, value, this.#beat, ttlMs));
      if (beat !== undefined) {
        this.#beat = beat;
        this.#renewedAt = asked;
        return;
      }
      const current = await heartbeats.get(key);
      // A renewal of our own whose answer was lost. It does not prolong: when it was sent is not known.
      if (current?.value.host === claim.host) this.#beat = current.revision;
      else this.#lose('its heartbeat is gone');
    } catch (error) {
      this.#log.debug({ effectId: this.effectId, error: String(error) }, 'claim renewal without an answer');
    }
  }

  #lose(reason: string): void {
    if (this.#abort.signal.aborted) return;
    clearInterval(this.#timer);
    this.#log.warn({ effectId: this.effectId, attempt: this.attempt, reason }, 'claim lost');
    this.#abort.abort();
  }
}

/** Claims are equal when they say the same, in whatever order. */
const claimText = ({ attempt, host, answer, answerRef }: Claim): string =>
  JSON.stringify([attempt, host, answer ?? null, answerRef ?? null]);
