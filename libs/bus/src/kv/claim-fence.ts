import { parseJson } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import type { TypedBucket } from './bucket.ts';
import type { Claim } from './claim.ts';

/** A claim that a later attempt may replace. */
export interface FencedClaim {
  readonly effectId: string;
  readonly claim: Claim;
}

/**
 * Calls `onLater` when a later attempt of the effect was claimed or revoked. A plain subscription costs less than a
 * consumer. It may lose messages, so it only speeds up what the next heartbeat notices, too.
 * @returns a function that ends the watch
 */
export function watchForLaterClaim(
  bus: Bus,
  claims: TypedBucket<Claim>,
  { effectId, claim: { attempt } }: FencedClaim,
  onLater: () => void,
): () => void {
  // Without a connection, the claim is lost at its next check.
  if (bus.nc.isClosed()) return () => {};
  // A subscriber also sees writes that the server rejects, so the stored claim decides.
  const check = async (): Promise<void> => {
    const stored = await claims.get(effectId);
    if (stored && stored.value.attempt > attempt) onLater();
  };
  const subject = `$KV.claims.${effectId}`;
  const subscription = bus.nc.subscribe(subject, {
    callback: (_error, { data }) => {
      if (attemptIn(data) > attempt)
        check().catch((error: unknown) => bus.log.debug({ effectId, error: String(error) }, 'claim check failed'));
    },
  });
  return () => subscription.unsubscribe();
}

/** 0 for a message without a claim, such as the tombstone of an expired one. */
function attemptIn(data: Uint8Array): number {
  try {
    return (parseJson(data) as unknown as Claim).attempt;
  } catch {
    return 0;
  }
}
