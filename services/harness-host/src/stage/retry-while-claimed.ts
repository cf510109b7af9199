import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldClaim } from '@reins/bus';
import { isReinsError } from '@reins/contracts';

const PAUSE_MS = 100;

/**
 * Retries while the bus is unavailable and the claim is held. A stage may have cost minutes and money, so its result
 * is not discarded because NATS restarts. If the bus stays unavailable, the claim expires.
 * @throws the last error when the claim is no longer held; any error other than `bus_unavailable` immediately
 */
export async function retryWhileClaimed<T>(held: Pick<HeldClaim, 'valid'>, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!held.valid || !isReinsError(error) || error.code !== 'bus_unavailable') throw error;
      await sleep(PAUSE_MS);
    }
  }
}
