import type { Lease } from '@reins/bus';
import type { JournalStore } from '@reins/journal';
import { Fenced } from '../run/run-actor.ts';
import type { RunPorts } from '../run/run-ports.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { LiveRunIndexes } from './live-run-indexes.ts';
import type { PartitionPorts } from './partition-ports.ts';
import type { RunArchiver } from './run-archiver.ts';

/** What an owner of partitions keeps of each of them. */
export interface OwnerServices {
  readonly liveRunIndexes: Pick<LiveRunIndexes, 'of' | 'takeOver' | 'ready' | 'save'>;
  readonly archiver: Pick<RunArchiver, 'start' | 'stop'>;
  readonly checkpoints: Pick<Checkpoints, 'grown'>;
}

/** The ports of partitions, whoever owns them. */
export interface SharedPartitionPorts extends Omit<PartitionPorts, 'liveRuns' | 'onRelease' | 'runPorts'> {
  readonly runPorts: (...of: Parameters<PartitionPorts['runPorts']>) => Omit<RunPorts, 'epoch'>;
}

/**
 * The ports of partitions for their owner: it finds its runs in the book of the owner before and leaves them in its own, archives those that have ended,
 * and appends nothing before it has begun, nor when it is not sure of its lease.
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
    const bare = ports.runPorts(lease, own, run);
    const journal = journalUnder(lease, bare.journal, { liveRunIndexes, checkpoints });
    return liveRunIndexes.of(lease).track(run, { ...bare, journal, epoch: () => epochOf(lease) });
  },
});

/** Appends when the owner has begun, and is still the owner; of what has grown long a checkpoint is made. */
const journalUnder = (
  lease: Lease,
  journal: JournalStore,
  { liveRunIndexes, checkpoints }: Pick<OwnerServices, 'liveRunIndexes' | 'checkpoints'>,
): JournalStore => ({
  load: (run) => journal.load(run),
  append: async (run, commit, expected) => {
    epochOf(lease);
    await liveRunIndexes.ready(lease);
    epochOf(lease);
    const answer = await journal.append(run, commit, expected);
    if (answer.outcome === 'stored') checkpoints.grown(run, commit);
    return answer;
  },
});

/** The epoch to append under. @throws Fenced where the lease is no longer sure by our own clock */
export function epochOf(lease: Lease): number {
  if (!lease.valid) throw new Fenced(`partition ${lease.partition}`);
  return lease.epoch;
}
