import type { Bus } from '../connection/bus.ts';
import { openBucket, type TypedBucket } from './bucket.ts';
import { CLAIM_TTL_MS, type Claim } from './claim.ts';

/** Host value in the claim of a revoked attempt. */
const NO_HOST = '';

/**
 * Revokes attempts that no host has claimed in time. Hosts and owners write the claim of an effect by compare-and-set,
 * so an attempt is either claimed or revoked, and a revoked attempt has provably not acted.
 */
export class ClaimRevocations {
  readonly #claims: TypedBucket<Claim>;

  private constructor(claims: TypedBucket<Claim>) {
    this.#claims = claims;
  }

  static async open(bus: Bus): Promise<ClaimRevocations> {
    return new ClaimRevocations(await openBucket<Claim>(bus, 'claims'));
  }

  /**
   * Revokes an attempt, unless a host has claimed it or a later one. Idempotent.
   * @returns the host that has claimed it; undefined when it is revoked
   */
  async revoke(effectId: string, attempt: number): Promise<string | undefined> {
    const revoked: Claim = { attempt, host: NO_HOST, state: 'revoked' };
    for (;;) {
      const current = await this.#claims.get(effectId);
      if (current && current.value.attempt >= attempt)
        return current.value.state === 'revoked' ? undefined : current.value.host;
      const written = current
        ? await this.#claims.update(effectId, revoked, current.revision, CLAIM_TTL_MS)
        : await this.#claims.create(effectId, revoked, CLAIM_TTL_MS);
      if (written !== undefined) return undefined;
    }
  }
}
