import { randomUUID } from 'node:crypto';
import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from './bucket.ts';
import { attemptKey, CLAIM_TTL_MS, type Claim, type Heartbeat, type LossNotice, lossNoticeKey } from './claim.ts';
import { watchClaim } from './claim-fence.ts';
import { ClaimLiveness } from './claim-liveness.ts';
import type { Entry } from './entry.ts';
import { HeldClaim } from './held-claim.ts';
import { type Holding, HostHeartbeat } from './host-heartbeat.ts';

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
/** Longer than a process that misses the notice can hold a claim. */
const NOTICE_TTLS = 6;

interface ClaimBuckets {
  readonly claims: TypedBucket<Claim>;
  readonly heartbeats: TypedBucket<Heartbeat>;
  readonly notices: TypedBucket<LossNotice>;
}

/**
 * Claims on effects. `<effectId>` records for days which host process took which attempt, and how that ended.
 * `beat.<incarnation>.live` expires unless the process renews it, and lists the attempts that the process holds. This
 * distinguishes an attempt whose worker died from one that was never started. A process that abandons or replaces the
 * claim of another one writes `beat.<incarnation>.lost`.
 */
export class Claims {
  readonly #bus: Bus;
  readonly #buckets: ClaimBuckets;
  readonly #host: string;
  readonly #incarnation: string;
  readonly #ttlMs: number;
  readonly #heartbeat: HostHeartbeat;
  readonly #liveness: ClaimLiveness;

  private constructor(bus: Bus, buckets: ClaimBuckets, { host, ttlMs = TTL_MS }: ClaimsOptions) {
    this.#bus = bus;
    this.#buckets = buckets;
    this.#host = host;
    this.#incarnation = randomUUID();
    this.#ttlMs = ttlMs;
    this.#heartbeat = new HostHeartbeat(bus.log, buckets, { host, incarnation: this.#incarnation, ttlMs });
    this.#liveness = new ClaimLiveness(buckets.heartbeats, this.#heartbeat, ttlMs);
  }

  /** Opens the claims of this process, which are all kept alive by one heartbeat. */
  static async open(bus: Bus, options: ClaimsOptions): Promise<Claims> {
    const buckets = {
      claims: await openBucket<Claim>(bus, 'claims'),
      heartbeats: await openBucket<Heartbeat>(bus, 'claims'),
      notices: await openBucket<LossNotice>(bus, 'claims'),
    };
    return new Claims(bus, buckets, options);
  }

  /**
   * Claims an attempt of an effect, or returns why it cannot. An attempt is claimed once, and never after a later one.
   */
  async take(effectId: string, attempt: number): Promise<ClaimOutcome> {
    const { claims } = this.#buckets;
    // A first attempt usually has no claim: it is claimed without a lookup.
    let current = attempt === 1 ? undefined : await claims.get(effectId);
    for (;;) {
      const outcome =
        current && current.value.attempt >= attempt
          ? await this.#existingOutcome(current, attempt)
          : await this.#write(effectId, attempt, current);
      if (outcome) return outcome;
      current = await claims.get(effectId);
    }
  }

  /** Writes the claim by compare-and-set. Resolves to undefined when another process wrote first. */
  async #write(
    effectId: string,
    attempt: number,
    current: Entry<Claim> | undefined,
  ): Promise<ClaimOutcome | undefined> {
    const { claims } = this.#buckets;
    const claim: Claim = { attempt, host: this.#host, incarnation: this.#incarnation, state: 'working' };
    const pending = newPendingClaim(attemptKey(effectId, attempt));
    this.#heartbeat.add(pending);
    try {
      const requestedAt = performance.now();
      const revision = current
        ? await claims.update(effectId, claim, current.revision, CLAIM_TTL_MS)
        : await claims.create(effectId, claim, CLAIM_TTL_MS);
      if (revision === undefined) return undefined;
      const held = this.#hold({ effectId, claim, revision, requestedAt });
      if (current?.value.state === 'working') await this.#notify(effectId, current.value);
      return { outcome: 'taken', held };
    } finally {
      this.#heartbeat.remove(pending);
    }
  }

  #hold(taken: { effectId: string; claim: Claim; revision: number; requestedAt: number }): HeldClaim {
    const ports = { log: this.#bus.log, claims: this.#buckets.claims, heartbeat: this.#heartbeat };
    const watch = (onOtherWrite: () => void) => watchClaim(this.#bus, taken, onOtherWrite);
    return new HeldClaim(ports, { ...taken, watch, ttlMs: this.#ttlMs });
  }

  /** Resolves to undefined when the claim was written meanwhile. */
  async #existingOutcome(current: Entry<Claim>, attempt: number): Promise<ClaimOutcome | undefined> {
    const { value: claim } = current;
    if (claim.attempt > attempt || claim.state === 'revoked') return { outcome: 'superseded', claim };
    if (claim.state === 'answered') return { outcome: 'answered', claim };
    if (claim.state === 'abandoned') return { outcome: 'expired', claim };
    if (await this.#liveness.isLive(current)) return { outcome: 'busy', claim };
    return (await this.#abandon(current)) ? { outcome: 'expired', claim } : undefined;
  }

  /**
   * Marks the attempt as abandoned, so that its holder can store no answer. A holder that was only late stops its tools.
   * Resolves to false when the claim was written meanwhile.
   */
  async #abandon({ key, value, revision }: Entry<Claim>): Promise<boolean> {
    const abandoned: Claim = { ...value, state: 'abandoned' };
    const written = await this.#buckets.claims.update(key, abandoned, revision, CLAIM_TTL_MS);
    if (written !== undefined) await this.#notify(key, value);
    return written !== undefined;
  }

  /**
   * Makes the process that lost a claim read its claims at its next heartbeat: it may have missed the write. Never
   * rejects.
   */
  async #notify(effectId: string, { attempt, incarnation }: Claim): Promise<void> {
    if (incarnation === undefined) return;
    const notice: LossNotice = { attempt: attemptKey(effectId, attempt) };
    try {
      await this.#buckets.notices.put(lossNoticeKey(incarnation), notice, NOTICE_TTLS * this.#ttlMs);
    } catch (error) {
      // The process watches its claims, too, and can store no answer.
      this.#bus.log.debug({ effectId, attempt, error: String(error) }, 'loss notice unanswered');
    }
  }
}

/** Lists a claim in the heartbeat while it is written. */
const newPendingClaim = (key: string): Holding => ({ key, expireIfLate: () => {}, verify: async () => {} });
