import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldClaim } from '@reins/bus';
import { isReinsError } from '@reins/contracts';

const PAUSE_MS = 100;

/**
 * Tries again while the bus is away, for as long as the claim is held: what a stage has done may have cost minutes and money, and
 * is not thrown away because NATS restarts. A bus that stays away takes the claim with it.
 * @throws the last error when the claim is no longer held; at once whatever is not the bus's absence
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
