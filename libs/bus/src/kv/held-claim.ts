import { setTimeout as sleep } from 'node:timers/promises';
import type { BusLog } from '../connection/settings.ts';
import type { TypedBucket } from './bucket.ts';
import { CLAIM_TTL_MS, type Claim, type Heartbeat, heartbeatKey, type StoredAnswer } from './claim.ts';

interface ClaimGrant {
  readonly effectId: string;
  readonly claim: Claim;
  readonly ttlMs: number;
  /** Calls the listener when a later attempt was claimed. @returns a function that ends the watch */
  readonly fence: (onLater: () => void) => () => void;
  readonly revision: number;
  /** Time before the claim request was sent, by `performance.now()`. */
  readonly requestedAt: number;
}

const RENEWALS = 3;
const SAFETY_SHARE = 0.8;
/** Most work ends before another host could check the claim. Then no heartbeat is needed. */
export const FIRST_HEARTBEAT_MS = 500;
/** Delay before the first heartbeat is retried. */
const RETRY_MS = 50;

/** A claim held by this process and kept alive by a heartbeat. */
export class HeldClaim {
  readonly effectId: string;
  readonly attempt: number;
  readonly #log: BusLog;
  readonly #buckets: { readonly claims: TypedBucket<Claim>; readonly heartbeats: TypedBucket<Heartbeat> };
  readonly #taken: ClaimGrant;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #firstHeartbeat: Promise<void>;
  /** Revision of the last heartbeat that is known to be stored. */
  #heartbeatRevision: number | undefined;
  #renewedAt: number;
  #released: Promise<void> | undefined;
  readonly #ending = new AbortController();

  constructor(
    log: BusLog,
    buckets: { claims: TypedBucket<Claim>; heartbeats: TypedBucket<Heartbeat> },
    taken: ClaimGrant,
  ) {
    this.effectId = taken.effectId;
    this.attempt = taken.claim.attempt;
    this.#log = log;
    this.#buckets = buckets;
    this.#taken = taken;
    this.#renewedAt = taken.requestedAt;
    this.#timer = setInterval(() => this.#tick(), taken.ttlMs / RENEWALS);
    this.#firstHeartbeat = this.#writeFirstHeartbeat();
  }

  /**
   * Aborts when a renewal is late by this process's monotonic clock, was rejected, or a later attempt was claimed.
   * Another host may be working: stop the tools.
   */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the claim is held, by this process's monotonic clock. Correct even after the process was frozen. */
  get valid(): boolean {
    return !this.#abort.signal.aborted && performance.now() - this.#renewedAt < this.#taken.ttlMs * SAFETY_SHARE;
  }

  /**
   * Stores the answer, or a reference to it, for repeated requests, and ends the heartbeat. Resolves to false when a
   * later attempt was claimed. Safe to retry after an error, even if the answer was stored.
   */
  async answered(storedAnswer: StoredAnswer): Promise<boolean> {
    const { claim, revision } = this.#taken;
    const answer: Claim = { ...claim, state: 'answered', ...storedAnswer };
    const stored = await this.#buckets.claims.update(this.effectId, answer, revision, CLAIM_TTL_MS);
    const isStored = stored !== undefined || (await this.#isStored(answer));
    void this.release();
    return isStored;
  }

  /** Whether the stored claim is from an earlier write of this answer whose acknowledgement was lost. */
  async #isStored(answer: Claim): Promise<boolean> {
    const current = (await this.#buckets.claims.get(this.effectId))?.value;
    return current !== undefined && claimText(current) === claimText(answer);
  }

  /** Ends the heartbeat without an answer: the attempt is expired from now on. */
  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#firstHeartbeat;
    if (this.#heartbeatRevision === undefined) return;
    await this.#buckets.heartbeats
      .delete(heartbeatKey(this.effectId, this.attempt), this.#heartbeatRevision)
      .catch(() => false);
  }

  /** Until its first heartbeat is stored, the attempt looks abandoned. */
  async #writeFirstHeartbeat(): Promise<void> {
    const { signal } = this.#ending;
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
    await pause(FIRST_HEARTBEAT_MS);
    if (signal.aborted) return;
    const unfence = this.#taken.fence(() => this.#lose('a later attempt was claimed'));
    signal.addEventListener('abort', unfence, { once: true });
    for (; this.#heartbeatRevision === undefined && !signal.aborted && this.valid; await pause(RETRY_MS))
      await this.#renew();
  }

  #tick(): void {
    if (!this.valid) this.#lose('renewal is late');
    else if (this.#heartbeatRevision !== undefined) void this.#renew();
  }

  async #renew(): Promise<void> {
    const requestedAt = performance.now();
    const { claim, ttlMs } = this.#taken;
    const { heartbeats } = this.#buckets;
    const [key, value] = [heartbeatKey(this.effectId, this.attempt), { host: claim.host }];
    try {
      const beat = await (this.#heartbeatRevision === undefined
        ? heartbeats.create(key, value, ttlMs)
        : heartbeats.update(key, value, this.#heartbeatRevision, ttlMs));
      if (beat !== undefined) {
        this.#heartbeatRevision = beat;
        this.#renewedAt = requestedAt;
        return;
      }
      const current = await heartbeats.get(key);
      // An earlier renewal of this process whose reply was lost. It does not extend the claim, since the time it was
      // sent is unknown.
      if (current?.value.host === claim.host) this.#heartbeatRevision = current.revision;
      else this.#lose('heartbeat is gone');
    } catch (error) {
      this.#log.debug({ effectId: this.effectId, error: String(error) }, 'claim renewal unanswered');
    }
  }

  #lose(reason: string): void {
    if (this.#abort.signal.aborted) return;
    clearInterval(this.#timer);
    this.#log.warn({ effectId: this.effectId, attempt: this.attempt, reason }, 'claim lost');
    this.#abort.abort();
  }
}

/** A comparable form of a claim, independent of property order. */
const claimText = ({ attempt, host, answer, answerRef }: Claim): string =>
  JSON.stringify([attempt, host, answer ?? null, answerRef ?? null]);
