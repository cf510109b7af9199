import { gzipSync } from 'node:zlib';
import type { Lease } from '@reins/bus';
import { journalSubject, type RunAddress } from '@reins/contracts';
import { type ArchiveStreams, archivePositionKeyOf, type RunArchiverOptions } from '@reins/control-bus/core';
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
  extends Pick<RunArchiverOptions, 'journal' | 'packs' | 'inline' | 'forget' | 'liveRunIndexOf' | 'epochOf'> {
  readonly machine: Machine;
  readonly server: Server;
  readonly log: RunArchiverOptions['log'];
  readonly sweeps: () => Sweeps;
}

/** What `RunArchiver.open` of the control bus has over a bus. */
export function archiving({
  liveRunIndexOf,
  log,
  machine,
  server,
  sweeps,
  ...own
}: ArchivingOptions): RunArchiverOptions {
  const { random } = machine;
  const waits = new Waits(server.unarchivedRuns);
  return {
    ...own,
    log,
    liveRunIndexOf: (lease) => waits.noting(lease, liveRunIndexOf(lease)),
    archiveAfterMs: random.pick(AGES_MS),
    clock: {
      now: () => machine.now(),
      after: (_, action) => afterwards(machine, sweeps, action),
    },
    streams: streamsOf(machine, server),
    positions: {
      get: (key) => {
        waits.begin(key);
        return machine.call('read sweep', () => server.archivePositions.get(key));
      },
      put: (key, value) => machine.call('note sweep', () => server.archivePositions.put(key, value)),
    },
    // In no time, and of no thread: what happens next is not left to chance.
    pack: (journals) => packJournals(journals, async (body) => gzipSync(body)),
  };
}

/** Sees, from outside, which runs the sweeps of a machine wait for. One that two of an ownership found untold may be left behind. */
class Waits {
  readonly #unarchivedRuns: Set<string>;
  /** By partition, as its note is called: which sweep it is at. */
  readonly #sweeps = new Map<string, number>();
  /** By ownership and run: the first sweep that waited for it. */
  readonly #first = new Map<string, number>();

  constructor(unarchivedRuns: Set<string>) {
    this.#unarchivedRuns = unarchivedRuns;
  }

  /** Every sweep asks for its note once, before anything else. */
  begin(key: string): void {
    this.#sweeps.set(key, (this.#sweeps.get(key) ?? 0) + 1);
  }

  noting({ epoch, partition }: Lease, book: ReturnType<RunArchiverOptions['liveRunIndexOf']>): typeof book {
    const has = (run: RunAddress): boolean => {
      const isUntold = book.has(run);
      if (isUntold)
        this.#waitsFor(`${epoch}.${run.runId}`, run.runId, this.#sweeps.get(archivePositionKeyOf(partition)) ?? 0);
      return isUntold;
    };
    return { has, advanceTo: (position) => book.advanceTo(position) };
  }

  #waitsFor(key: string, runId: string, sweep: number): void {
    const first = this.#first.get(key) ?? sweep;
    this.#first.set(key, first);
    if (first !== sweep) this.#unarchivedRuns.add(runId);
  }
}

/** @returns what calls it off */
function afterwards(machine: Machine, sweeps: () => Sweeps, action: () => void): () => void {
  const often = sweeps();
  const ms = often === 'often' ? machine.random.between(...OFTEN_MS) : LATER_MS[often];
  let cancel = machine.after(ms, () => {
    if (sweeps() === 'never') cancel = afterwards(machine, sweeps, action);
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
    purge: (run, before) =>
      machine.call(`remove ${run.runId}`, () => {
        machine.trace.line(machine.name, () => `removes all of ${run.runId} before ${before}`);
        server.journals.purge(journalSubject(run, PARTITIONS), before);
      }),
  };
}
