import { isPermanent, type Lease } from '@reins/bus';
import { partitionOf, type RunAddress } from '@reins/contracts';
import { runKeyOf } from '../partition/live-run-index.ts';
import type { RunJournal } from '../run/run-ports.ts';
import { type Anchor, withAnchor } from './anchors.ts';
import { type Candidate, candidatesAfter } from './candidates.ts';
import { EventEnds } from './event-ends.ts';
import { reconcileRun } from './reconcile-run.ts';
import { type ReconcilerPorts, type RunningMember, reconciledKeyOf } from './reconciler-ports.ts';
import { SettledPosition } from './settled-position.ts';

/** What a reconciler needs of the partition that it checks. */
export interface ReconciledPartition {
  readonly lease: Lease;
  readonly partitions: number;
  readonly journal: () => Pick<RunJournal, 'load' | 'append' | 'epoch'>;
  readonly isOwner: () => boolean;
  /** Checks a run in its queue (`Reconciler.check`), and loads it if it has to be loaded. */
  readonly check: (run: RunAddress) => Promise<void>;
  /** Checks in the queue of the run that the running request of a session has a live run. */
  readonly checkSession: (member: RunningMember) => Promise<void>;
  /** Called when the streams may have been set back, and the runs that have to be checked are known. */
  readonly onSetBack: () => void;
}

/** How many runs are checked in one turn. Between two turns, other work continues. */
const RUNS_PER_TURN = 16;
const BUSY_MS = 100;

/**
 * Makes sure that the facts of a partition follow from its journals, and that every running request of a session has a
 * live run. Streams are stored independently: after a power failure or a restore, each of them may have lost its end.
 *
 * A position in both streams says up to where the facts are complete. It is valid as long as both streams have the same
 * messages there. At a takeover, and after the connection was lost, everything after the newest valid position is
 * checked, one run at a time. Otherwise the position only moves forward, and no run is read.
 */
export class Reconciler {
  readonly #ports: ReconcilerPorts;
  readonly #partition: ReconciledPartition;
  #candidates = new Map<string, Candidate>();
  readonly #settled = new SettledPosition();
  #anchors: readonly Anchor[] = [];
  #ends = new EventEnds();
  #connection = 0;
  /** Whether all runs that have to be checked are known. */
  #isPrepared = false;
  /** How far the sessions were checked. */
  #sessions = 0;
  #isStopped = false;
  #cancel: () => void = () => {};

  constructor(ports: ReconcilerPorts, partition: ReconciledPartition) {
    this.#ports = ports;
    this.#partition = partition;
  }

  /**
   * Finds the runs that have to be checked. Call it before the first message of the partition is handled.
   * @throws ReinsError of the bus; the reason of the lease's signal if the lease is lost
   */
  async prepare(): Promise<void> {
    const { positions, streams } = this.#ports;
    const { partition, signal } = this.#partition.lease;
    this.#isPrepared = false;
    const connection = streams.connection();
    const stored = (await positions.get(reconciledKeyOf(partition)))?.value.anchors ?? [];
    const end = await streams.ends();
    this.#sessions = 0;
    if (stored.length === 0) await this.#store([{ ...end, laterFactsAfter: end.events.seq }]);
    else {
      this.#anchors = await this.#valid(stored);
      const found = await candidatesAfter(streams, partition, this.#anchors[0] ?? BEGINNING, signal);
      for (const [key, candidate] of found) this.#candidates.set(key, candidate);
    }
    this.#settled.setBackTo(end.journal.seq);
    this.#ends = new EventEnds();
    this.#connection = connection;
    this.#isPrepared = true;
  }

  /** Checks continuously, in small steps. */
  start(): void {
    this.#later(BUSY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Stores the position for the next owner. A failure means that the next owner checks more. */
  async save(): Promise<void> {
    const { partition } = this.#partition.lease;
    if (!this.#isPrepared || this.#candidates.size > 0) return;
    await this.#moveForward().catch((error) => {
      this.#ports.log.warn({ err: error, partition }, 'reconciled position not stored');
    });
  }

  /** Call it before an append. @returns call it if nothing was stored */
  appending(run: RunAddress): () => void {
    return this.#settled.appending(runKeyOf(run));
  }

  appended(run: RunAddress, position: number): void {
    this.#settled.appended(runKeyOf(run), position);
  }

  /** Call it with the position of a stub, which has no facts. */
  archived(position: number): void {
    this.#settled.advanceTo(position);
  }

  settled(run: RunAddress): void {
    this.#settled.settled(runKeyOf(run));
  }

  /** Whether the run has to be checked before anything else happens to it. */
  has(run: RunAddress): boolean {
    return this.#candidates.has(runKeyOf(run));
  }

  /**
   * Checks a run, if it has to be checked. Call it in the queue of the run.
   * @param isLoading the caller loads the run next
   * @returns whether the run has to be loaded
   * @throws Fenced; ReinsError of the bus
   */
  async check(run: RunAddress, isLoading: boolean): Promise<boolean> {
    const key = runKeyOf(run);
    const candidate = this.#candidates.get(key);
    if (!candidate) return false;
    // The load publishes the facts of the last commit.
    if (isLoading && candidate.versions) this.#settled.appended(key, 1 + (this.#anchors[0]?.journal.seq ?? 0));
    try {
      const journal = this.#partition.journal();
      const isChanged = await reconcileRun({ ...this.#ports, journal }, candidate, isLoading);
      this.#candidates.delete(key);
      return isChanged;
    } catch (error) {
      this.#candidates.delete(key);
      // Other runs come first.
      if (!isPermanent(error)) this.#candidates.set(key, candidate);
      if (!isPermanent(error)) throw error;
      this.#ports.log.error({ err: error, ...run }, 'facts of the run not compared');
      return false;
    }
  }

  #later(ms: number): void {
    if (this.#isStopped) return;
    this.#cancel = this.#ports.clock.after(ms, () => void this.#turn());
  }

  async #turn(): Promise<void> {
    let isBusy = false;
    try {
      isBusy = await this.#work();
    } catch (error) {
      const { partition, signal } = this.#partition.lease;
      if (!this.#isStopped && !signal.aborted)
        this.#ports.log.warn({ err: error, partition }, 'facts not compared, retrying');
    }
    this.#later(isBusy ? BUSY_MS : this.#ports.intervalMs);
  }

  /** @returns whether more work is known */
  async #work(): Promise<boolean> {
    if (!this.#partition.isOwner()) return false;
    if (await this.#isSetBack()) {
      await this.prepare();
      this.#partition.onSetBack();
    }
    const runs = [...this.#candidates.values()].slice(0, RUNS_PER_TURN);
    for (const { run } of runs) if (this.#partition.isOwner()) await this.#partition.check(run);
    const hasMoreSessions = await this.#checkSessions();
    if (this.#candidates.size > 0) return true;
    await this.#moveForward();
    return hasMoreSessions;
  }

  /** Whether a stream may have lost messages since the last position. */
  async #isSetBack(): Promise<boolean> {
    const { streams } = this.#ports;
    if (!this.#isPrepared || streams.connection() !== this.#connection) return true;
    const [newest] = this.#anchors;
    return newest !== undefined && !(await streams.holds(newest));
  }

  /** @returns whether there are more sessions to check */
  async #checkSessions(): Promise<boolean> {
    const { partitions, lease } = this.#partition;
    const { members, next } = await this.#ports.sessions.running(this.#sessions);
    const own = members.filter(({ requestId }) => partitionOf(requestId, partitions) === lease.partition);
    for (const member of own) if (this.#partition.isOwner()) await this.#partition.checkSession(member);
    const isMoved = next !== this.#sessions;
    this.#sessions = next;
    return isMoved;
  }

  /** Stores a new position if there are new commits whose facts are all published. */
  async #moveForward(): Promise<void> {
    const seq = this.#settled.value;
    if (seq <= (this.#anchors[0]?.journal.seq ?? 0) || !this.#partition.lease.valid) return;
    const { streams } = this.#ports;
    const anchor = await streams.anchorAt(seq);
    // The streams may have been set back: the next turn finds out.
    if (streams.connection() !== this.#connection) return;
    this.#ends.add({ commit: this.#settled.last, seq: anchor.events.seq });
    const laterFactsAfter = this.#ends.before(seq) ?? this.#anchors[0]?.laterFactsAfter ?? 0;
    await this.#store(withAnchor(this.#anchors, { ...anchor, laterFactsAfter }));
  }

  async #store(anchors: readonly Anchor[]): Promise<void> {
    await this.#ports.positions.put(reconciledKeyOf(this.#partition.lease.partition), { anchors });
    this.#anchors = anchors;
  }

  /** The anchors from the newest valid one on: everything before a valid position is as it was. */
  async #valid(anchors: readonly Anchor[]): Promise<readonly Anchor[]> {
    for (const [index, anchor] of anchors.entries())
      if (await this.#ports.streams.holds(anchor)) return anchors.slice(index);
    return [];
  }
}

const BEGINNING: Anchor = { journal: { seq: 0 }, events: { seq: 0 } };
