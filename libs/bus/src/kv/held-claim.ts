import type { BusLog } from '../connection/settings.ts';
import type { TypedBucket } from './bucket.ts';
import { type Beat, beatKey, CLAIM_TTL_MS, type Claim } from './claim.ts';

interface Taken {
  readonly effectId: string;
  readonly claim: Claim;
  readonly ttlMs: number;
  readonly revision: number;
  readonly beat: number;
  /** By `performance.now()`, before the request that took it was sent. */
  readonly asked: number;
}

const RENEWALS = 3;
const SAFETY_SHARE = 0.8;

/** A claim of this process, kept alive by a heartbeat. */
export class HeldClaim {
  readonly effectId: string;
  readonly attempt: number;
  readonly #log: BusLog;
  readonly #buckets: { readonly claims: TypedBucket<Claim>; readonly beats: TypedBucket<Beat> };
  readonly #taken: Taken;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #beat: number;
  #renewedAt: number;

  constructor(log: BusLog, buckets: { claims: TypedBucket<Claim>; beats: TypedBucket<Beat> }, taken: Taken) {
    this.effectId = taken.effectId;
    this.attempt = taken.claim.attempt;
    this.#log = log;
    this.#buckets = buckets;
    this.#taken = taken;
    this.#beat = taken.beat;
    this.#renewedAt = taken.asked;
    this.#timer = setInterval(() => this.#tick(), taken.ttlMs / RENEWALS);
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
   * Keeps where the answer is, for repeats, and ends the heartbeat. False: a later attempt was claimed meanwhile. May be
   * tried again after an error, whether or not it was stored by then.
   */
  async answered(answerRef: string): Promise<boolean> {
    const { claim, revision } = this.#taken;
    const answer: Claim = { ...claim, state: 'answered', answerRef };
    const stored = await this.#buckets.claims.update(this.effectId, answer, revision, CLAIM_TTL_MS);
    const kept = stored !== undefined || (await this.#isKept(answer));
    await this.release();
    return kept;
  }

  /** Whether an earlier write of the same, whose acknowledgement was lost, is what stands there. */
  async #isKept({ attempt, host, answerRef }: Claim): Promise<boolean> {
    const current = (await this.#buckets.claims.get(this.effectId))?.value;
    return current?.attempt === attempt && current.host === host && current.answerRef === answerRef;
  }

  /** Ends the heartbeat without an answer: the attempt counts as expired from now on. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#buckets.beats.delete(beatKey(this.effectId, this.attempt), this.#beat).catch(() => false);
  }

  #tick(): void {
    if (this.valid) void this.#renew();
    else this.#lose('its renewal is late');
  }

  async #renew(): Promise<void> {
    const asked = performance.now();
    const { claim, ttlMs } = this.#taken;
    const key = beatKey(this.effectId, this.attempt);
    try {
      const beat = await this.#buckets.beats.update(key, { host: claim.host }, this.#beat, ttlMs);
      if (beat !== undefined) {
        this.#beat = beat;
        this.#renewedAt = asked;
        return;
      }
      const current = await this.#buckets.beats.get(key);
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
