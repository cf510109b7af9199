import { type Bus, compareClocks, MAX_SKEW_MS, openBucket } from '@reins/bus';
import { type HarnessOffer, isReinsError, ReinsError } from '@reins/contracts';
import { type CliContext, gatewayAddress } from '../context.ts';
import type { Check } from './check.ts';

export async function checkGateway(context: CliContext): Promise<Check> {
  try {
    const { url } = gatewayAddress(context);
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    if (response.ok) return { name: 'gateway', status: 'ok', message: url };
    return {
      name: 'gateway',
      status: 'failed',
      message: `${url} is not ready: ${(await response.text()).slice(0, 300)}`,
    };
  } catch (error) {
    return {
      name: 'gateway',
      status: 'failed',
      message: isReinsError(error) ? error.message : 'no response',
      hint: 'Start a system with `reins up`.',
    };
  }
}

export const checkNats = (bus: Bus): Check => ({
  name: 'nats',
  status: 'ok',
  message: `server ${bus.nc.info?.version ?? 'unknown'}`,
});

/** Compares the clock of this machine with the NATS server. */
export async function checkClock(bus: Bus): Promise<Check> {
  const { errorMs, skewMs } = await compareClocks(bus);
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  if (Math.abs(skewMs) <= MAX_SKEW_MS + errorMs)
    return { name: 'clock', status: 'ok', message: `${seconds} s from the clock of the NATS server` };
  return {
    name: 'clock',
    status: 'warning',
    message: `this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the NATS server; deadlines do not depend on that, but timestamps in logs do`,
    hint: 'Synchronize the clocks of all machines, for example with chrony.',
  };
}

/**
 * Reports what the replicas and the sync interval mean for accepted requests.
 * @throws ReinsError `bus_unavailable` when this NATS server has no installation
 */
export async function checkDurability(bus: Bus): Promise<Check> {
  const { config } = await bus.jsm.streams.info('JOURNAL').catch((cause: Error) => {
    const message = `the stream JOURNAL cannot be read at ${bus.nc.getServer()}: ${cause.message}`;
    const hint = 'Start a system with `reins up`, or set REINS_NATS_URL to the NATS server of a running system.';
    throw new ReinsError({ code: 'bus_unavailable', message, hint }, { cause });
  });
  if (config.num_replicas >= 3)
    return {
      name: 'durability',
      status: 'ok',
      message: `JOURNAL has ${config.num_replicas} replicas: an accepted request survives the loss of any one node`,
    };
  return {
    name: 'durability',
    status: 'warning',
    message:
      'JOURNAL has one replica: an accepted request survives the loss of any process, but not of the disk; a power failure may lose writes that NATS has not synced yet (sync_interval)',
    hint: 'Run NATS as a cluster of three and set nats.replicas to 3.',
  };
}

/** What the hosts of the installation offer. */
export async function readOffers(bus: Bus): Promise<readonly HarnessOffer[]> {
  const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
  const entries = await Promise.all((await bucket.keys()).map((key) => bucket.get(key)));
  return entries.flatMap((entry) => (entry ? [entry.value] : []));
}
