import type { BusLog } from '../connection/settings.ts';
import type { TypedBucket } from './bucket.ts';
import { attemptKey, CLAIM_TTL_MS, type Claim, isSameClaim, type StoredAnswer } from './claim.ts';
import { FIRST_HEARTBEAT_MS, type Holding, type HostHeartbeat } from './host-heartbeat.ts';

interface ClaimGrant {
  readonly effectId: string;
  readonly claim: Claim;
  readonly ttlMs: number;
  /** Calls the listener when another process may have replaced the claim. @returns a function that ends the watch */
  readonly watch: (onOtherWrite: () => void) => () => void;
  readonly revision: number;
  /** Time before the claim request was sent, by `performance.now()`. */
  readonly requestedAt: number;
}

interface ClaimPorts {
  readonly log: BusLog;
  readonly claims: TypedBucket<Claim>;
  readonly heartbeat: HostHeartbeat;
}

const SAFETY_SHARE = 0.8;

/** A claim held by this process and kept alive by the heartbeat of the process. */
export class HeldClaim implements Holding {
  readonly effectId: string;
  readonly attempt: number;
  readonly key: string;
  readonly #ports: ClaimPorts;
  readonly #taken: ClaimGrant;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #unwatch: (() => void) | undefined;
  #released: Promise<void> | undefined;
  /** Whether the stored claim is not one of this process's live claims any more. */
  #isOver = false;

  constructor(ports: ClaimPorts, taken: ClaimGrant) {
    this.effectId = taken.effectId;
    this.attempt = taken.claim.attempt;
    this.key = attemptKey(taken.effectId, taken.claim.attempt);
    this.#ports = ports;
    this.#taken = taken;
    this.#timer = setTimeout(() => this.#watch(), FIRST_HEARTBEAT_MS).unref();
    ports.heartbeat.add(this);
  }

  /**
   * Aborts when the heartbeat of this process is late by its monotonic clock, or the claim was replaced or abandoned.
   * Another host may be working: stop the tools.
   */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the claim is held, by this process's monotonic clock. Correct even after the process was frozen. */
  get valid(): boolean {
    const renewedAt = Math.max(this.#taken.requestedAt, this.#ports.heartbeat.renewedAt);
    return !this.#abort.signal.aborted && performance.now() - renewedAt < this.#taken.ttlMs * SAFETY_SHARE;
  }

  /**
   * Stores the answer, or a reference to it, for repeated requests, and ends the claim. Resolves to false when the claim
   * was replaced or abandoned. Safe to retry after an error, even if the answer was stored.
   */
  async answered(storedAnswer: StoredAnswer): Promise<boolean> {
    const { claim, revision } = this.#taken;
    const answer: Claim = { ...claim, state: 'answered', ...storedAnswer };
    const stored = await this.#ports.claims.update(this.effectId, answer, revision, CLAIM_TTL_MS);
    const isStored = stored !== undefined || (await this.#isStored(answer));
    this.#isOver = true;
    void this.release();
    return isStored;
  }

  /** Whether the stored claim is from an earlier write of this answer whose acknowledgement was lost. */
  async #isStored(answer: Claim): Promise<boolean> {
    const current = (await this.#ports.claims.get(this.effectId))?.value;
    return current !== undefined && claimText(current) === claimText(answer);
  }

  /** Ends the claim. Without an answer, the attempt is abandoned. */
  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#ports.heartbeat.remove(this);
    if (this.#isOver) return;
    const { claim, revision } = this.#taken;
    const abandoned: Claim = { ...claim, state: 'abandoned' };
    await this.#ports.claims.update(this.effectId, abandoned, revision, CLAIM_TTL_MS).catch(() => undefined);
  }

  expireIfLate(): void {
    if (!this.valid) this.#lose('the heartbeat is late');
  }

  async verify(): Promise<void> {
    const stored = await this.#ports.claims.get(this.effectId);
    if (!isSameClaim(stored?.value, this.#taken.claim)) this.#lose('it was replaced or abandoned');
  }

  #watch(): void {
    this.#unwatch = this.#taken.watch(() =>
      this.verify().catch((error: unknown) =>
        this.#ports.log.debug({ effectId: this.effectId, error: String(error) }, 'claim check failed'),
      ),
    );
  }

  #lose(reason: string): void {
    if (this.#abort.signal.aborted || this.#released) return;
    this.#ports.log.warn({ effectId: this.effectId, attempt: this.attempt, reason }, 'claim lost');
    this.#ports.heartbeat.remove(this);
    this.#abort.abort();
  }
}

/** A comparable form of a claim, independent of property order. */
const claimText = ({ attempt, host, answer, answerRef }: Claim): string =>
  JSON.stringify([attempt, host, answer ?? null, answerRef ?? null]);
