import { gzipSync } from 'node:zlib';
import type { Lease } from '@reins/bus';
import { journalSubject, type RunAddress } from '@reins/contracts';
import { type ArchiveStreams, archivePositionKeyOf, type RunArchiverOptions } from '@reins/control-bus/core';
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

export interface ArchivingOptions
  extends Pick<RunArchiverOptions, 'journal' | 'packs' | 'inline' | 'removeCheckpoint' | 'liveRunIndexOf' | 'epochOf'> {
  readonly machine: Machine;
  readonly server: Server;
  readonly log: RunArchiverOptions['log'];
  readonly sweeps: () => Sweeps;
}

/** Stands in for `RunArchiver.open` of the control bus. */
export function archiving({
  liveRunIndexOf,
  log,
  machine,
  server,
  sweeps,
  ...own
}: ArchivingOptions): RunArchiverOptions {
  const { random } = machine;
  const tracker = new WaitTracker(server.unarchivedRuns);
  return {
    ...own,
    log,
    liveRunIndexOf: (lease) => tracker.observed(lease, liveRunIndexOf(lease)),
    archiveAfterMs: random.pick(AGES_MS),
    clock: {
      now: () => machine.now(),
      after: (_, action) => scheduleSweep(machine, sweeps, action),
    },
    streams: streamsOf(machine, server),
    positions: {
      get: (key) => {
        tracker.begin(key);
        return machine.call('read archive position', () => server.archivePositions.get(key));
      },
      put: (key, value) => machine.call('write archive position', () => server.archivePositions.put(key, value)),
    },
    // Synchronous compression, so that the simulation stays deterministic.
    pack: (journals) => packJournals(journals, async (body) => gzipSync(body)),
  };
}

/** Observes which runs a machine's sweeps wait for. A run that two sweeps of one owner found unpublished may stay. */
class WaitTracker {
  readonly #unarchivedRuns: Set<string>;
  /** By position key: the number of the current sweep. */
  readonly #sweeps = new Map<string, number>();
  /** By epoch and run: the first sweep that waited for the run. */
  readonly #first = new Map<string, number>();

  constructor(unarchivedRuns: Set<string>) {
    this.#unarchivedRuns = unarchivedRuns;
  }

  /** Every sweep reads its position once, before anything else. */
  begin(key: string): void {
    this.#sweeps.set(key, (this.#sweeps.get(key) ?? 0) + 1);
  }

  observed({ epoch, partition }: Lease, index: ReturnType<RunArchiverOptions['liveRunIndexOf']>): typeof index {
    const has = (run: RunAddress): boolean => {
      const isUnpublished = index.has(run);
      if (isUnpublished)
        this.#waitsFor(`${epoch}.${run.runId}`, run.runId, this.#sweeps.get(archivePositionKeyOf(partition)) ?? 0);
      return isUnpublished;
    };
    return { has, advanceTo: (position) => index.advanceTo(position) };
  }

  #waitsFor(key: string, runId: string, sweep: number): void {
    const first = this.#first.get(key) ?? sweep;
    this.#first.set(key, first);
    if (first !== sweep) this.#unarchivedRuns.add(runId);
  }
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
