import type { RunAddress } from '@reins/contracts';
import { type CommitEnd, CorruptedJournalError, hasEnded } from '@reins/journal';
import type { RunPorts } from '../run/run-ports.ts';

/** A snapshot of the index for the next owner. It stays valid: later commits are in the stream after `seq`. */
export interface LiveRunSnapshot {
  /** The snapshot covers every commit of the partition up to this sequence. */
  readonly seq: number;
  /**
   * The runs that had not ended, or whose terminal fact was not published.
   * The value is the version at which the run was settled, or 0 while a reaction was in progress.
   */
  readonly runs: Readonly<Record<string, number>>;
}

/** Not settled: the follow-ups of the last commit may be outstanding. */
const IN_PROGRESS = 0;
/** Minimum number of commits between two snapshots. With more live runs than this, their number counts instead. */
const SNAPSHOT_EVERY = 1_000;

/** The key of a run in the index. */
export const runKeyOf = ({ workspaceId, runId }: RunAddress): string => `${workspaceId}.${runId}`;

/** The live runs of a partition, kept up to date by its owner. */
export class LiveRunIndex {
  readonly #runs = new Map<string, number>();
  readonly #onSnapshotDue: () => void;
  readonly #snapshotEvery: number;
  /** Until `complete`: the runs that ended meanwhile, which `complete` must not add again. */
  #ended: Set<string> | undefined = new Set();
  #position = 0;
  #commits = 0;

  /** @param onSnapshotDue called after `snapshotEvery` commits, or after as many commits as there are runs */
  constructor(onSnapshotDue: () => void, snapshotEvery = SNAPSHOT_EVERY) {
    this.#onSnapshotDue = onSnapshotDue;
    this.#snapshotEvery = snapshotEvery;
  }

  /** Adds the runs that existed before this owner. */
  complete(runs: ReadonlyMap<string, number>, position: number): void {
    for (const [name, version] of runs)
      if (!this.#runs.has(name) && !this.#ended?.has(name)) this.#runs.set(name, version);
    this.#ended = undefined;
    this.advanceTo(position);
  }

  /** False only when the run has ended and its terminal fact is published. */
  has(run: RunAddress): boolean {
    return this.#runs.has(runKeyOf(run));
  }

  /** Call it with the position of each commit that the owner appends. */
  advanceTo(position: number): void {
    this.#position = Math.max(this.#position, position);
  }

  /** Undefined before `complete`. */
  snapshot(): LiveRunSnapshot | undefined {
    if (this.#ended) return undefined;
    this.#commits = 0;
    return { seq: this.#position, runs: Object.fromEntries(this.#runs) };
  }

  /** Wraps the ports of a run: it is in progress from its append until its alarm is set, and settled after that. */
  track(run: RunAddress, ports: RunPorts): RunPorts {
    const name = runKeyOf(run);
    let end: CommitEnd | undefined;
    return {
      ...ports,
      journal: {
        load: async (address) => {
          try {
            const journal = await ports.journal.load(address);
            end = journal.entries.at(-1);
            return journal;
          } catch (error) {
            // The owner ended the run because of the corruption, or the run had ended before.
            if (error instanceof CorruptedJournalError) end = error.last;
            throw error;
          }
        },
        append: async (address, commit, expected) => {
          this.#runs.set(name, IN_PROGRESS);
          const appended = await ports.journal.append(address, commit, expected);
          if (appended.outcome === 'fenced') return appended;
          end = commit.entries.at(-1);
          this.advanceTo(appended.position);
          this.#commits += 1;
          if (this.#commits >= Math.max(this.#snapshotEvery, this.#runs.size)) this.#onSnapshotDue();
          return appended;
        },
      },
      alarm: (timer) => {
        if (end) this.#settled(name, end);
        ports.alarm(timer);
      },
    };
  }

  #settled(name: string, { type, version }: CommitEnd): void {
    if (!hasEnded(type)) return void this.#runs.set(name, version);
    this.#runs.delete(name);
    this.#ended?.add(name);
  }
}
