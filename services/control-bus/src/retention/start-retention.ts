import { Blobs, type Bus, type Lease, openBucket } from '@reins/bus';
import { openBusJournals } from '@reins/journal/bus';
import type { Logger, Settings } from '@reins/service-kit';
import type { Clock } from '../partition/clock.ts';
import { busRetentionPorts } from './bus-retention-ports.ts';
import { RETENTION_KEY, type RetentionRecord, retentionSweep } from './retention-sweep.ts';
import { RetentionSweeper } from './retention-sweeper.ts';

export interface RetentionOptions {
  readonly bus: Bus;
  readonly settings: Pick<Settings, 'nats' | 'retention'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onSwept: (swept: RetentionRecord) => void;
}

/** Starts the sweeps of an installation, under the lease of the sweeping partition. */
export async function startRetention(options: RetentionOptions, lease: Lease): Promise<RetentionSweeper> {
  const { bus, settings, clock, log, onSwept } = options;
  const { partitions } = settings.nats;
  const { runsMs, sweepIntervalMs: intervalMs } = settings.retention;
  const [blobs, journals] = [await Blobs.open(bus), await openBusJournals(bus, { partitions })];
  const positions = await openBucket<RetentionRecord>(bus, 'positions');
  const sweep = async (isStopped: () => boolean): Promise<void> => {
    const ports = await busRetentionPorts({ bus, blobs, journals, partitions, clock, runsMs, isStopped });
    const swept = await retentionSweep(ports);
    if (!swept) return;
    onSwept(swept);
    log.info({ ...swept }, 'retention sweep done');
  };
  const lastStart = async (): Promise<Date | undefined> => {
    const last = (await positions.get(RETENTION_KEY))?.value;
    return last && new Date(last.startedAt);
  };
  const sweeper = new RetentionSweeper({ clock, log, intervalMs, sweep, lastStart }, lease);
  sweeper.start();
  return sweeper;
}
