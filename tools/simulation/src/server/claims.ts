/** The claim of a host on an effect. `host` is undefined for a revoked attempt. */
export interface SimulatedClaim {
  readonly attempt: number;
  readonly host: string | undefined;
  /** Another host found the claim, and its holder seemed to be gone. */
  readonly isAbandoned?: true;
}

/** Claims on effects, which hosts and owners write by compare-and-set. */
export class Claims {
  readonly #current = new Map<string, SimulatedClaim>();
  /** Every attempt that a host has claimed: effect id and number. */
  readonly #claimed = new Set<string>();

  /** Claims an attempt for a host. @returns whether the claim was granted */
  take(effectId: string, attempt: number, host: string): boolean {
    if ((this.#current.get(effectId)?.attempt ?? 0) >= attempt) return false;
    this.#current.set(effectId, { attempt, host });
    this.#claimed.add(`${effectId}.${attempt}`);
    return true;
  }

  /** Like `ClaimRevocations` of `@reins/bus`. @returns the host that has claimed the attempt */
  revoke(effectId: string, attempt: number): string | undefined {
    const current = this.#current.get(effectId);
    if (current && current.attempt >= attempt) return current.host;
    this.#current.set(effectId, { attempt, host: undefined });
    return undefined;
  }

  /** Ends the claim of a holder that seems to be gone. @returns whether another host held the claim on the attempt */
  abandon(effectId: string, attempt: number): boolean {
    const current = this.#current.get(effectId);
    if (!current || !this.isHeld(effectId, attempt)) return false;
    this.#current.set(effectId, { ...current, isAbandoned: true });
    return true;
  }

  /** Whether a host still holds the claim on an attempt. */
  isHeld(effectId: string, attempt: number): boolean {
    const current = this.#current.get(effectId);
    return current?.attempt === attempt && current.host !== undefined && !current.isAbandoned;
  }

  /** Whether the claim on an attempt was abandoned. Then its host can store no answer. */
  isAbandoned(effectId: string, attempt: number): boolean {
    const current = this.#current.get(effectId);
    return current?.attempt === attempt && current.isAbandoned === true;
  }

  /** Whether any host has ever claimed the attempt. */
  wasClaimed(effectId: string, attempt: number): boolean {
    return this.#claimed.has(`${effectId}.${attempt}`);
  }
}
