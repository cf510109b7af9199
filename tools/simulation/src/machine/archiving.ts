import { gzipSync } from 'node:zlib';
import { journalSubject } from '@reins/contracts';
import type { ArchiveStreams, RunArchiverPorts } from '@reins/control-bus/core';
import { packJournals } from '@reins/journal';
import type { Server } from '../server/server.ts';
import { PARTITIONS } from '../world/settings.ts';
import type { Machine } from './machine.ts';

/** Short, so that runs are archived while clients still send commands to them. */
const AGES_MS = [1_000, 10_000, 60_000] as const;
/** Long sweep intervals keep the number of simulated steps low. */
const LATER_MS = { never: 20_000, seldom: 60_000 } as const;
const OFTEN_MS = [100, 5_000] as const;

/** How often replicas sweep at this time. */
export type Sweeps = 'often' | 'seldom' | 'never';

export interface ArchivingOptions extends Pick<RunArchiverPorts, 'packs' | 'inline' | 'removeCheckpoint' | 'log'> {
  readonly machine: Machine;
  readonly server: Server;
  readonly sweeps: () => Sweeps;
}

/** Stands in for the archiver's ports over the bus. */
export function archiving({ machine, server, sweeps, ...own }: ArchivingOptions): RunArchiverPorts {
  const { random } = machine;
  return {
    ...own,
    archiveAfterMs: random.pick(AGES_MS),
    clock: {
      now: () => machine.now(),
      after: (_, action) => scheduleSweep(machine, sweeps, action),
    },
    streams: streamsOf(machine, server),
    positions: {
      get: (key) => machine.call('read archive position', () => server.archivePositions.get(key)),
      put: (key, value) => machine.call('write archive position', () => server.archivePositions.put(key, value)),
    },
    // Synchronous compression, so that the simulation stays deterministic.
    pack: (journals) => packJournals(journals, async (body) => gzipSync(body)),
    onSkipped: ({ runId }) => void server.unarchivedRuns.add(runId),
  };
}

/** @returns a function that cancels the action */
function scheduleSweep(machine: Machine, sweeps: () => Sweeps, action: () => void): () => void {
  const often = sweeps();
  const ms = often === 'often' ? machine.random.between(...OFTEN_MS) : LATER_MS[often];
  let cancel = machine.after(ms, () => {
    if (sweeps() === 'never') cancel = scheduleSweep(machine, sweeps, action);
    else action();
  });
  return () => cancel();
}

function streamsOf(machine: Machine, server: Server): ArchiveStreams {
  return {
    created: () => machine.call('look at journals', () => server.created),
    async *commits(partition, after) {
      const found = await machine.call('read journals', () => server.journals.after(partition, after));
      for (const { data, seq, storedAt, subject } of found) yield { data, seq, subject, time: new Date(storedAt) };
    },
    oldestInInbox: (partition) => machine.call('look at inbox', () => server.inbox.oldestOf(partition)),
    heldRuns: (partition) => machine.call('list held runs', () => server.held.runs(partition)),
    purge: (run, before) =>
      machine.call(`remove ${run.runId}`, () => {
        machine.trace.line(machine.name, () => `purges ${run.runId} before ${before}`);
        server.journals.purge(journalSubject(run, PARTITIONS), before);
      }),
  };
}
