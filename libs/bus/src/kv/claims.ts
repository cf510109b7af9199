import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isReinsError } from '@reins/contracts';
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
/**
 * How often an unanswered write of a claim is tried, and how long it waits in between: an election of the stream's leader
 * takes less.
 */
const WRITES = 10;
const WRITE_DELAY_MS = 500;
/** Maximum number of remembered writes whose outcome is unknown. */
const REMEMBERED_WRITES = 10_000;

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
  /** The writes of claims that this process has not held, by `attemptKey`. Each may be stored though it was unanswered. */
  readonly #writes = new Map<string, number>();
  #lastWrite = 0;

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
   * @throws the error of the bus when the outcome is unknown. If the claim was stored, the next call takes it.
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
    const key = attemptKey(effectId, attempt);
    const pending = newPendingClaim(key);
    this.#heartbeat.add(pending);
    try {
      const write = this.#writeOf(key);
      const claim: Claim = { attempt, host: this.#host, incarnation: this.#incarnation, write, state: 'working' };
      const taken = await untilAnswered(() => this.#tryWrite(effectId, claim, current));
      if (taken && current?.value.state === 'working') await this.#notify(effectId, current.value);
      return taken;
    } finally {
      this.#heartbeat.remove(pending);
    }
  }

  /** Resolves to undefined when the stored claim is not from this write or an unanswered earlier try. */
  async #tryWrite(
    effectId: string,
    claim: Claim,
    current: Entry<Claim> | undefined,
  ): Promise<ClaimOutcome | undefined> {
    const { claims } = this.#buckets;
    const requestedAt = performance.now();
    const revision = current
      ? await claims.update(effectId, claim, current.revision, CLAIM_TTL_MS)
      : await claims.create(effectId, claim, CLAIM_TTL_MS);
    if (revision !== undefined) return this.#takeUnheld({ key: effectId, value: claim, revision }, requestedAt);
    const stored = await claims.get(effectId);
    return stored && this.#takeUnheld(stored, requestedAt);
  }

  /** The number of the next write of a claim: that of the last one while it is unknown whether that one was stored. */
  #writeOf(key: string): number {
    const write = this.#writes.get(key) ?? ++this.#lastWrite;
    this.#writes.set(key, write);
    if (this.#writes.size > REMEMBERED_WRITES) this.#writes.delete([...this.#writes.keys()][0] as string);
    return write;
  }

  /** Holds a stored claim of this process, once. Undefined for other claims, and for those that it has held. */
  #takeUnheld({ key: effectId, value: claim, revision }: Entry<Claim>, requestedAt: number): ClaimOutcome | undefined {
    const key = attemptKey(effectId, claim.attempt);
    if (claim.incarnation !== this.#incarnation || claim.state !== 'working') return undefined;
    if (claim.write === undefined || this.#writes.get(key) !== claim.write) return undefined;
    this.#writes.delete(key);
    return { outcome: 'taken', held: this.#hold({ effectId, claim, revision, requestedAt }) };
  }

  #hold(taken: { effectId: string; claim: Claim; revision: number; requestedAt: number }): HeldClaim {
    const ports = { log: this.#bus.log, claims: this.#buckets.claims, heartbeat: this.#heartbeat };
    const watch = (onOtherWrite: () => void) => watchClaim(this.#bus, taken, onOtherWrite);
    return new HeldClaim(ports, { ...taken, watch, ttlMs: this.#ttlMs });
  }

  /** Resolves to undefined when the claim was written meanwhile. */
  async #existingOutcome(current: Entry<Claim>, attempt: number): Promise<ClaimOutcome | undefined> {
    const { key: effectId, value: claim } = current;
    if (claim.attempt === attempt) {
      const unheld = this.#takeUnheld(current, performance.now());
      if (unheld) return unheld;
    }
    // Another claim is stored: no write of this attempt can be stored any more.
    this.#writes.delete(attemptKey(effectId, attempt));
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
      this.#bus.log.debug({ effectId, attempt, error: String(error) }, 'notice of a lost claim not acknowledged');
    }
  }
}

/** Lists a claim in the heartbeat while it is written. */
const newPendingClaim = (key: string): Holding => ({ key, expireIfLate: () => {}, verify: async () => {} });

/** Repeats a write by compare-and-set while its outcome is unknown. @throws the last error of the bus */
async function untilAnswered<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === WRITES || !isReinsError(error) || error.code !== 'bus_unavailable') throw error;
      await sleep(WRITE_DELAY_MS);
    }
  }
}
