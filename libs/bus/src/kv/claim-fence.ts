import { parseJson } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { type Claim, isSameClaim } from './claim.ts';

/** A claim that others may replace. */
export interface WatchedClaim {
  readonly effectId: string;
  readonly claim: Claim;
}

/**
 * Calls `onOtherWrite` when another process may have replaced the claim. A plain subscription costs less than a
 * consumer. It also sees writes that the server rejects, and may lose messages. The stored claim decides.
 * @returns a function that ends the watch
 */
export function watchClaim(bus: Bus, { effectId, claim }: WatchedClaim, onOtherWrite: () => void): () => void {
  // Without a connection, the claim is lost at its next check.
  if (bus.nc.isClosed()) return () => {};
  const subscription = bus.nc.subscribe(`$KV.claims.${effectId}`, {
    callback: (_error, { data }) => {
      if (!isSameClaim(claimIn(data), claim)) onOtherWrite();
    },
  });
  return () => subscription.unsubscribe();
}

/** Undefined for a message without a claim, such as the tombstone of an expired one. */
function claimIn(data: Uint8Array): Claim | undefined {
  try {
    return parseJson(data) as unknown as Claim;
  } catch {
    return undefined;
  }
}
