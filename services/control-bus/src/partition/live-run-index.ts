import type { RunAddress } from '@reins/contracts';
import { type CommitEnd, DamagedJournal, hasEnded } from '@reins/journal';
import type { RunPorts } from '../run/run-ports.ts';

/** What an owner of a partition leaves to its next one. True for ever: what came later stands behind `seq` in the stream. */
export interface LiveRunSnapshot {
  /** Every commit of the partition up to this sequence is in what follows. */
  readonly seq: number;
  /** The runs that had not ended, or whose end was not told: the version that each had settled at, 0 in the middle of something. */
  readonly runs: Readonly<Record<string, number>>;
}

/** Not settled: what follows from its last commit may not be done. */
const IN_PROGRESS = 0;
/** The least number of commits between two pages; as many as there are runs where those are more, so that pages cost little per commit. */
const SNAPSHOT_EVERY = 1_000;

/** What a run is called in the book. */
export const runKeyOf = ({ workspaceId, runId }: RunAddress): string => `${workspaceId}.${runId}`;

/** The runs of a partition that have not ended, as its owner sees them move. */
export class LiveRunIndex {
  readonly #runs = new Map<string, number>();
  readonly #onSnapshotDue: () => void;
  readonly #snapshotEvery: number;
  /** While the book is not complete: those that ended, which it may be completed with. */
  #ended: Set<string> | undefined = new Set();
  #position = 0;
  #commits = 0;

  /** @param onSnapshotDue it is time for a snapshot: after so many commits, or as many as there are runs */
  constructor(onSnapshotDue: () => void, snapshotEvery = SNAPSHOT_EVERY) {
    this.#onSnapshotDue = onSnapshotDue;
    this.#snapshotEvery = snapshotEvery;
  }

  /** Takes in what was there before its owner came. */
  complete(runs: ReadonlyMap<string, number>, position: number): void {
    for (const [name, version] of runs)
      if (!this.#runs.has(name) && !this.#ended?.has(name)) this.#runs.set(name, version);
    this.#ended = undefined;
    this.advanceTo(position);
  }

  /** Nothing is known of it only where it has ended, and that was told. */
  has(run: RunAddress): boolean {
    return this.#runs.has(runKeyOf(run));
  }

  /** The owner appended here. */
  advanceTo(position: number): void {
    this.#position = Math.max(this.#position, position);
  }

  /** Undefined while the book is not complete. */
  snapshot(): LiveRunSnapshot | undefined {
    if (this.#ended) return undefined;
    this.#commits = 0;
    return { seq: this.#position, runs: Object.fromEntries(this.#runs) };
  }

  /** The ports of a run, through which the book learns what becomes of it: it moves when it appends, and has settled when its alarm is set. */
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
            // Its owner ended it because of the damage, or it had ended before.
            if (error instanceof DamagedJournal) end = error.last;
            throw error;
          }
        },
        append: async (address, commit, expected) => {
          this.#runs.set(name, IN_PROGRESS);
          const answer = await ports.journal.append(address, commit, expected);
          if (answer.outcome === 'fenced') return answer;
          end = commit.entries.at(-1);
          this.advanceTo(answer.position);
          this.#commits += 1;
          if (this.#commits >= Math.max(this.#snapshotEvery, this.#runs.size)) this.#onSnapshotDue();
          return answer;
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
