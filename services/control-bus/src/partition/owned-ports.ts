import type { Lease } from '@reins/bus';
import type { JournalStore } from '@reins/journal';
import { Fenced } from '../run/run-actor.ts';
import type { RunPorts } from '../run/run-ports.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { LiveRunIndexes } from './live-run-indexes.ts';
import { loadUnder } from './load-under.ts';
import type { PartitionPorts } from './partition-ports.ts';
import type { RunArchiver } from './run-archiver.ts';

/** What an owner runs next to its partitions. */
export interface OwnerServices {
  readonly liveRunIndexes: Pick<LiveRunIndexes, 'of' | 'takeOver' | 'ready' | 'save'>;
  readonly archiver: Pick<RunArchiver, 'start' | 'stop'>;
  readonly checkpoints: Pick<Checkpoints, 'onAppend'>;
}

/** The ports of partitions without those that depend on a lease. */
export interface SharedPartitionPorts extends Omit<PartitionPorts, 'liveRuns' | 'onRelease' | 'runPorts'> {
  readonly runPorts: (...of: Parameters<PartitionPorts['runPorts']>) => Omit<RunPorts, 'epoch'>;
}

/**
 * Adds the owner's duties to the ports: it takes over and saves the live-run index, archives ended runs,
 * and appends only after the takeover and under a valid lease.
 */
export const ownedPorts = (
  ports: SharedPartitionPorts,
  { archiver, liveRunIndexes, checkpoints }: OwnerServices,
): PartitionPorts => ({
  ...ports,
  liveRuns: async (_, lease) => {
    const runs = await liveRunIndexes.takeOver(lease);
    archiver.start(lease);
    return runs;
  },
  onRelease: async (lease) => {
    await archiver.stop(lease);
    await liveRunIndexes.save(lease);
  },
  runPorts: (lease, own, run): RunPorts => {
    const base = ports.runPorts(lease, own, run);
    const journal = journalUnder(lease, base.journal, { liveRunIndexes, checkpoints });
    return liveRunIndexes.of(lease).track(run, { ...base, journal, epoch: () => epochOf(lease) });
  },
});

/** A journal store that appends only after the takeover and under a valid lease, and extends checkpoints. */
const journalUnder = (
  lease: Lease,
  journal: JournalStore,
  { liveRunIndexes, checkpoints }: Pick<OwnerServices, 'liveRunIndexes' | 'checkpoints'>,
): JournalStore => ({
  load: (run) => loadUnder(lease, journal, run),
  append: async (run, commit, expected) => {
    epochOf(lease);
    await liveRunIndexes.ready(lease);
    epochOf(lease);
    const appended = await journal.append(run, commit, expected);
    if (appended.outcome === 'stored') checkpoints.onAppend(run, commit);
    return appended;
  },
});

/** The epoch to append under. @throws Fenced when the lease has expired by our own clock */
export function epochOf(lease: Lease): number {
  if (!lease.valid) throw new Fenced(`partition ${lease.partition}`);
  return lease.epoch;
}
