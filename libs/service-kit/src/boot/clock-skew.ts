import { type Bus, compareClocks, MAX_SKEW_MS } from '@reins/bus';
import type { Logger } from '../logging/logger.ts';

/**
 * Warns if the clock of this machine differs from the clock of the NATS server. Deadlines do not depend on it, but log
 * lines and timestamps do.
 * @throws ReinsError `bus_unavailable`
 */
export async function reportClockSkew(bus: Bus, log: Pick<Logger, 'warn'>): Promise<void> {
  const { errorMs, skewMs } = await compareClocks(bus);
  if (Math.abs(skewMs) <= MAX_SKEW_MS + errorMs) return;
  log.warn({ skewMs: Math.round(skewMs) }, 'the clock of this machine differs from the clock of the NATS server');
}
