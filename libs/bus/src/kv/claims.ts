import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from './bucket.ts';
import { CLAIM_TTL_MS, type Claim, type Heartbeat, heartbeatKey } from './claim.ts';
import type { Entry } from './entry.ts';
import { FIRST_HEARTBEAT_MS, HeldClaim } from './held-claim.ts';
import { PresenceRecords } from './presence-records.ts';

export type ClaimOutcome =
  | { readonly outcome: 'taken'; readonly held: HeldClaim }
  /** Somebody lives who works on this attempt: wait. */
  | { readonly outcome: 'busy'; readonly claim: Claim }
  /** A later attempt was claimed already: this one is of no interest any more. */
  | { readonly outcome: 'superseded'; readonly claim: Claim }
  /** This attempt was begun, and whoever began it is gone: answer `unknown`. */
  | { readonly outcome: 'expired'; readonly claim: Claim }
  /** This attempt was answered: send the stored answer again. */
  | { readonly outcome: 'answered'; readonly claim: Claim };

export interface ClaimsOptions {
  /** Who claims: one process of a host. */
  readonly host: string;
  readonly ttlMs?: number;
}

const TTL_MS = 10_000;
/** The first beat of a holder comes some time after its claim: what has none is looked at again when it must have one. */
const LOOK_AGAIN_MS = 3 * FIRST_HEARTBEAT_MS;
/** A beat that was not renewed for so many lives is nobody's, whether or not the server has removed it. */
const STALE_AFTER_TTLS = 2;
/** Stands in the beat of an attempt that was found abandoned. */
const NOBODY = '';
/** Beats of others that are remembered. */
const REMEMBERED = 10_000;

/**
 * Claims on effects, in two keys. `<effectId>` says who took which attempt, for days; `beat.<effectId>.<attempt>` lives
 * only as long as it is renewed, and is written by whoever has the claim alone. So an attempt whose worker died is told from
 * one that nobody began.
 */
export class Claims {
  readonly #bus: Bus;
  readonly #claims: TypedBucket<Claim>;
  readonly #heartbeats: TypedBucket<Heartbeat>;
  readonly #host: string;
  readonly #ttlMs: number;
  readonly #others: PresenceRecords<string>;

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
    this.#others = new PresenceRecords(STALE_AFTER_TTLS * this.#ttlMs);
  }

  static async open(bus: Bus, options: ClaimsOptions): Promise<Claims> {
    return new Claims(bus, await openBucket<Claim>(bus, 'claims'), await openBucket<Heartbeat>(bus, 'claims'), options);
  }

  /** Takes an attempt of an effect, or says why not. An attempt is taken once, and never after a later one. */
  async take(effectId: string, attempt: number): Promise<ClaimOutcome> {
    // Nearly every first attempt is the first that anybody hears of: it is claimed without a look.
    let current = attempt === 1 ? undefined : await this.#claims.get(effectId);
    for (;;) {
      const known = current && (await this.#resolveOutcome(effectId, attempt, current.value));
      if (known) return known;
      const asked = performance.now();
      const claim: Claim = { attempt, host: this.#host, state: 'working' };
      const revision = current
        ? await this.#claims.update(effectId, claim, current.revision, CLAIM_TTL_MS)
        : await this.#claims.create(effectId, claim, CLAIM_TTL_MS);
      if (revision !== undefined) return { outcome: 'taken', held: this.#hold({ effectId, claim, revision, asked }) };
      current = await this.#claims.get(effectId);
    }
  }

  #hold(taken: { effectId: string; claim: Claim; revision: number; asked: number }): HeldClaim {
    const buckets = { claims: this.#claims, heartbeats: this.#heartbeats };
    return new HeldClaim(this.#bus.log, buckets, { ...taken, ttlMs: this.#ttlMs });
  }

  /** Undefined: the attempt is there to be taken. */
  async #resolveOutcome(effectId: string, attempt: number, claim: Claim): Promise<ClaimOutcome | undefined> {
    if (claim.attempt > attempt) return { outcome: 'superseded', claim };
    if (claim.attempt < attempt) return undefined;
    if (claim.state === 'answered') return { outcome: 'answered', claim };
    return { outcome: (await this.#isLive(effectId, attempt)) ? 'busy' : 'expired', claim };
  }

  /** Whether somebody who lives works on this attempt. */
  async #isLive(effectId: string, attempt: number): Promise<boolean> {
    const key = heartbeatKey(effectId, attempt);
    const first = await this.#heartbeats.get(key);
    if (first?.value.host === NOBODY) return false;
    if (this.#hasLiveHeartbeat(key, first)) return true;
    await sleep(LOOK_AGAIN_MS);
    const beat = await this.#heartbeats.get(key);
    return this.#hasLiveHeartbeat(key, beat) || !(await this.#abandon(key, beat));
  }

  /**
   * Nobody's from now on: a holder that was only late finds that out with its next beat, and stops its tools. False when somebody was
   * quicker, the holder or another one who looks.
   */
  async #abandon(key: string, beat: Entry<Heartbeat> | undefined): Promise<boolean> {
    const nobody: Heartbeat = { host: NOBODY };
    const written = beat
      ? await this.#heartbeats.update(key, nobody, beat.revision, this.#ttlMs)
      : await this.#heartbeats.create(key, nobody, this.#ttlMs);
    return written !== undefined;
  }

  #hasLiveHeartbeat(key: string, beat: Entry<Heartbeat> | undefined): boolean {
    if (beat === undefined || beat.value.host === NOBODY) {
      this.#others.forget(key);
      return false;
    }
    this.#others.observe(key, beat.revision);
    if (this.#others.size > REMEMBERED) this.#others.forget([...this.#others.keys][0] as string);
    return !this.#others.isStale(key);
  }
}
