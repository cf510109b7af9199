import type { RunAddress } from '@reins/contracts';
import { type CommitEnd, hasEnded } from '@reins/journal';

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
  /** The runs that settled under this owner, by key. */
  readonly #settledHere = new Set<string>();
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

  /**
   * Whether everything that follows from this version of a run was done under this owner. For versions of earlier owners
   * it is false: what they have done may have been lost with them.
   */
  isSettled(run: RunAddress, version: number): boolean {
    const key = runKeyOf(run);
    return this.#settledHere.has(key) && this.#runs.get(key) === version;
  }

  /** Call it with the position of a commit that the owner appended to a run which is not in the index. */
  advanceTo(position: number): void {
    this.#position = Math.max(this.#position, position);
  }

  /** Undefined before `complete`. */
  snapshot(): LiveRunSnapshot | undefined {
    if (this.#ended) return undefined;
    this.#commits = 0;
    return { seq: this.#position, runs: Object.fromEntries(this.#runs) };
  }

  /** Call it before each append to a run: the run is in progress until `settled`. */
  started(run: RunAddress): void {
    this.#runs.set(runKeyOf(run), IN_PROGRESS);
  }

  /** Call it after each append, with the position of its commit. */
  appended(position: number): void {
    this.advanceTo(position);
    this.#commits += 1;
    if (this.#commits >= Math.max(this.#snapshotEvery, this.#runs.size)) this.#onSnapshotDue();
  }

  /** Call it when the follow-ups of a run's last commit are done and its timer is set. @param end its last entry */
  settled(run: RunAddress, { type, version }: CommitEnd): void {
    const key = runKeyOf(run);
    if (!hasEnded(type)) {
      this.#runs.set(key, version);
      this.#settledHere.add(key);
      return;
    }
    this.#runs.delete(key);
    this.#settledHere.delete(key);
    this.#ended?.add(key);
  }
}
