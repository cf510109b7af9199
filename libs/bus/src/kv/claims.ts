import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from './bucket.ts';
import { CLAIM_TTL_MS, type Claim, type Heartbeat, heartbeatKey } from './claim.ts';
import { watchForLaterClaim } from './claim-fence.ts';
import type { Entry } from './entry.ts';
import { FIRST_HEARTBEAT_MS, HeldClaim } from './held-claim.ts';
import { PresenceRecords } from './presence-records.ts';

export type ClaimOutcome =
  | { readonly outcome: 'taken'; readonly held: HeldClaim }
  /** A live host works on this attempt: wait. */
  | { readonly outcome: 'busy'; readonly claim: Claim }
  /** A later attempt was claimed, or this one was revoked: drop this one. */
  | { readonly outcome: 'superseded'; readonly claim: Claim }
  /** This attempt was started and its host is gone: answer `unknown`. */
  | { readonly outcome: 'expired'; readonly claim: Claim }
  /** This attempt was answered: send the stored answer again. */
  | { readonly outcome: 'answered'; readonly claim: Claim };

export interface ClaimsOptions {
  /** Identity of the claiming host process. */
  readonly host: string;
  readonly ttlMs?: number;
}

const TTL_MS = 10_000;
/**
 * The holder writes its first heartbeat some time after the claim. A claim without one is checked again after this
 * time.
 */
const RECHECK_MS = 3 * FIRST_HEARTBEAT_MS;
/** A heartbeat that was not renewed for this many TTLs is stale, even if the server has not removed it. */
const STALE_AFTER_TTLS = 2;
/** Host value in the heartbeat of an abandoned attempt. */
const ABANDONED = '';
/** Maximum number of remembered heartbeats of other hosts. */
const REMEMBERED = 10_000;

/**
 * Claims on effects, in two keys. `<effectId>` records for days which host took which attempt.
 * `beat.<effectId>.<attempt>` expires unless its holder renews it. This distinguishes an attempt whose worker died from
 * one that was never started.
 */
export class Claims {
  readonly #bus: Bus;
  readonly #claims: TypedBucket<Claim>;
  readonly #heartbeats: TypedBucket<Heartbeat>;
  readonly #host: string;
  readonly #ttlMs: number;
  readonly #otherHosts: PresenceRecords<string>;

  private constructor(
    bus: Bus,
    claims: TypedBucket<Claim>,
    heartbeats: TypedBucket<Heartbeat>,
    options: ClaimsOptions,
  ) {
    this.#bus = bus;
    this.#claims = claims;
    this.#heartbeats = heartbeats;
    this.#host = options.host;
    this.#ttlMs = options.ttlMs ?? TTL_MS;
    this.#otherHosts = new PresenceRecords(STALE_AFTER_TTLS * this.#ttlMs);
  }

  static async open(bus: Bus, options: ClaimsOptions): Promise<Claims> {
    return new Claims(bus, await openBucket<Claim>(bus, 'claims'), await openBucket<Heartbeat>(bus, 'claims'), options);
  }

  /**
   * Claims an attempt of an effect, or returns why it cannot. An attempt is claimed once, and never after a later one.
   */
  async take(effectId: string, attempt: number): Promise<ClaimOutcome> {
    // A first attempt usually has no claim: it is claimed without a lookup.
    let current = attempt === 1 ? undefined : await this.#claims.get(effectId);
    for (;;) {
      const known = current && (await this.#existingOutcome(effectId, attempt, current.value));
      if (known) return known;
      const requestedAt = performance.now();
      const claim: Claim = { attempt, host: this.#host, state: 'working' };
      const revision = current
        ? await this.#claims.update(effectId, claim, current.revision, CLAIM_TTL_MS)
        : await this.#claims.create(effectId, claim, CLAIM_TTL_MS);
      if (revision !== undefined) {
        if (current) await this.#fence(effectId, current.value.attempt);
        return { outcome: 'taken', held: this.#hold({ effectId, claim, revision, requestedAt }) };
      }
      current = await this.#claims.get(effectId);
    }
  }

  #hold(taken: { effectId: string; claim: Claim; revision: number; requestedAt: number }): HeldClaim {
    const buckets = { claims: this.#claims, heartbeats: this.#heartbeats };
    const { effectId, claim } = taken;
    const fence = (onLater: () => void) => watchForLaterClaim(this.#bus, this.#claims, { effectId, claim }, onLater);
    return new HeldClaim(this.#bus.log, buckets, { ...taken, fence, ttlMs: this.#ttlMs });
  }

  /** Marks an earlier attempt as abandoned. Its holder, if it is alive, stops at its next heartbeat at the latest. */
  async #fence(effectId: string, attempt: number): Promise<void> {
    const abandoned: Heartbeat = { host: ABANDONED };
    await this.#heartbeats.put(heartbeatKey(effectId, attempt), abandoned, this.#ttlMs);
  }

  /** Returns undefined when the attempt can be claimed. */
  async #existingOutcome(effectId: string, attempt: number, claim: Claim): Promise<ClaimOutcome | undefined> {
    if (claim.attempt > attempt) return { outcome: 'superseded', claim };
    if (claim.attempt < attempt) return undefined;
    if (claim.state === 'revoked') return { outcome: 'superseded', claim };
    if (claim.state === 'answered') return { outcome: 'answered', claim };
    return { outcome: (await this.#isLive(effectId, attempt)) ? 'busy' : 'expired', claim };
  }

  /** Whether a live host works on this attempt. Marks the attempt as abandoned if not. */
  async #isLive(effectId: string, attempt: number): Promise<boolean> {
    const key = heartbeatKey(effectId, attempt);
    const first = await this.#heartbeats.get(key);
    if (first?.value.host === ABANDONED) return false;
    if (this.#hasLiveHeartbeat(key, first)) return true;
    await sleep(RECHECK_MS);
    const beat = await this.#heartbeats.get(key);
    return this.#hasLiveHeartbeat(key, beat) || !(await this.#abandon(key, beat));
  }

  /**
   * Marks the attempt as abandoned. A holder that was only late sees this at its next heartbeat and stops its tools.
   * Resolves to false when the holder, or another checking host, wrote first.
   */
  async #abandon(key: string, beat: Entry<Heartbeat> | undefined): Promise<boolean> {
    const abandoned: Heartbeat = { host: ABANDONED };
    const written = beat
      ? await this.#heartbeats.update(key, abandoned, beat.revision, this.#ttlMs)
      : await this.#heartbeats.create(key, abandoned, this.#ttlMs);
    return written !== undefined;
  }

  #hasLiveHeartbeat(key: string, beat: Entry<Heartbeat> | undefined): boolean {
    if (beat === undefined || beat.value.host === ABANDONED) {
      this.#otherHosts.forget(key);
      return false;
    }
    this.#otherHosts.observe(key, beat.revision);
    if (this.#otherHosts.size > REMEMBERED) this.#otherHosts.forget([...this.#otherHosts.keys][0] as string);
    return !this.#otherHosts.isStale(key);
  }
}
