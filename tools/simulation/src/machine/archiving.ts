import { gzipSync } from 'node:zlib';
import type { Lease } from '@reins/bus';
import { journalSubject } from '@reins/contracts';
import type { ArchiveStreams, ArchivistOptions, PartitionPorts } from '@reins/control-bus/core';
import { packJournals } from '@reins/journal';
import type { Server } from '../server/server.ts';
import { PARTITIONS } from '../world/settings.ts';
import type { Machine } from './machine.ts';

/** Short, so that runs leave while their clients still speak to them. */
const AGES_MS = [1_000, 10_000, 60_000] as const;
/** Sweeps come seldom enough that they can be played. */
const LATER_MS = { never: 20_000, seldom: 60_000 } as const;
const OFTEN_MS = [100, 5_000] as const;

/** How often a world has its replicas sweep. */
export type Sweeps = 'often' | 'seldom' | 'never';

export interface ArchivingOptions
  extends Pick<ArchivistOptions, 'journal' | 'packs' | 'inline' | 'bookOf' | 'epochOf'> {
  readonly machine: Machine;
  readonly server: Server;
  readonly log: ArchivistOptions['log'];
  readonly sweeps: () => Sweeps;
}

/** What `Archivist.open` of the control bus has over a bus. */
export function archiving({ log, machine, server, sweeps, ...own }: ArchivingOptions): ArchivistOptions {
  const { random } = machine;
  return {
    ...own,
    log,
    archiveAfterMs: random.pick(AGES_MS),
    clock: {
      now: () => machine.now(),
      after: (_, action) => afterwards(machine, sweeps, action),
    },
    streams: streamsOf(machine, server),
    notes: {
      get: (key) => machine.call('read sweep', () => server.swept.get(key)),
      put: (key, value) => machine.call('note sweep', () => server.swept.put(key, value)),
    },
    // In no time, and of no thread: what happens next is not left to chance.
    pack: (journals) => packJournals(journals, async (body) => gzipSync(body)),
  };
}

/** @returns what calls it off */
function afterwards(machine: Machine, sweeps: () => Sweeps, action: () => void): () => void {
  const often = sweeps();
  const ms = often === 'often' ? machine.random.between(...OFTEN_MS) : LATER_MS[often];
  let callOff = machine.after(ms, () => {
    if (sweeps() === 'never') callOff = afterwards(machine, sweeps, action);
    else action();
  });
  return () => callOff();
}

function streamsOf(machine: Machine, server: Server): ArchiveStreams {
  return {
    created: () => machine.call('look at journals', () => 'once'),
    async *commits(partition, after) {
      const found = await machine.call('read journals', () => server.journals.after(partition, after));
      for (const { data, seq, storedAt, subject } of found) yield { data, seq, subject, time: new Date(storedAt) };
    },
    oldestInInbox: (partition) => machine.call('look at inbox', () => server.inbox.oldestOf(partition)),
    purge: (run, before) =>
      machine.call(`remove ${run.runId}`, () => {
        machine.trace.line(machine.name, () => `removes all of ${run.runId} before ${before}`);
        server.journals.purge(journalSubject(run, PARTITIONS), before);
      }),
  };
}

/** Has a replica archive as long as a partition is its own, as `openBusPorts` of the control bus has it. */
export function withArchivist(
  ports: PartitionPorts,
  archivist: { begin(lease: Lease): void; end(lease: Lease): Promise<void> },
): PartitionPorts {
  return {
    ...ports,
    liveRuns: async (partition, lease) => {
      const runs = await ports.liveRuns(partition, lease);
      archivist.begin(lease);
      return runs;
    },
    leaving: async (lease) => {
      await archivist.end(lease);
      await ports.leaving?.(lease);
    },
  };
}
