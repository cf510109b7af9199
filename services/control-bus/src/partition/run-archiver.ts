import { type Bus, type Lease, openBucket, type TypedBucket } from '@reins/bus';
import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import { endOfCommit, hasEnded } from '@reins/journal';
import type { Logger } from '@reins/service-kit';
import { type ArchivePorts, archiveRuns } from './archive-runs.ts';
import { type ArchiveStreams, archiveStreams, type StoredCommit } from './archive-streams.ts';
import type { Clock } from './clock.ts';
import type { LiveRunIndex } from './live-run-index.ts';

export interface RunArchiverOptions extends Pick<ArchivePorts, 'journal' | 'packs' | 'pack'> {
  readonly streams: ArchiveStreams;
  readonly positions: Pick<TypedBucket<ArchivePosition>, 'get' | 'put'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  /** How long a run stays in the stream after its stop. */
  readonly archiveAfterMs: number;
  /** A commit, fetched from the blobs where it is too large for the log. */
  readonly inline: (commit: Uint8Array) => Promise<Uint8Array>;
  /** Removes what is kept beside the journal of a run. */
  readonly forget: (run: RunAddress) => Promise<void>;
  readonly liveRunIndexOf: (lease: Lease) => Pick<LiveRunIndex, 'has' | 'advanceTo'>;
  readonly epochOf: (lease: Lease) => number;
}

/** As `RunArchiverOptions`, over a bus. */
export interface BusRunArchiverOptions extends Omit<RunArchiverOptions, 'streams' | 'positions'> {
  readonly bus: Bus;
  readonly partitions: number;
}

/** How far a partition was sweptTo: every stop up to this sequence has left. */
export interface ArchivePosition {
  /** When the journal stream was made. */
  readonly stream: string;
  readonly seq: number;
}

interface NextBatch {
  readonly runs: readonly RunAddress[];
  readonly seq: number;
}

interface SweepLoop {
  readonly epoch: number;
  stopped: boolean;
  cancel: () => void;
  sweep: Promise<unknown>;
}

/** An stop that a sweep stopped at, under this ownership, because what follows from it was not done. */
interface SkippedEnd {
  readonly epoch: number;
  readonly seq: number;
}

/** Runs that are looked at together; what was sweptTo is stored after each. */
const BATCH = 128;
/** A sweep for every so many parts of the age, within these bounds. */
const SWEEPS_PER_AGE = 24;
const [MIN_MS, MAX_MS] = [1_000, 3_600_000];

/** Moves the runs of our partitions that ended some time ago out of the stream, in the order in which they ended. */
export class RunArchiver {
  readonly #options: RunArchiverOptions;
  readonly #rounds = new Map<number, SweepLoop>();
  /** What the last sweep of a partition waited for. */
  readonly #waitedFor = new Map<number, SkippedEnd>();

  constructor(options: RunArchiverOptions) {
    this.#options = options;
  }

  static async open({ bus, partitions, ...options }: BusRunArchiverOptions): Promise<RunArchiver> {
    const positions = await openBucket<ArchivePosition>(bus, 'positions');
    return new RunArchiver({ ...options, positions, streams: archiveStreams(bus, partitions) });
  }

  /** Sweeps this partition from time to time, as long as it is ours. */
  start(lease: Lease): void {
    if (lease.signal.aborted) return;
    const everyMs = Math.min(Math.max(this.#options.archiveAfterMs / SWEEPS_PER_AGE, MIN_MS), MAX_MS);
    const round: SweepLoop = { epoch: lease.epoch, stopped: false, cancel: () => {}, sweep: Promise.resolve() };
    const next = (): void => {
      if (round.stopped) return;
      round.cancel = this.#options.clock.after(everyMs, () => {
        round.sweep = this.sweep(lease, () => round.stopped).catch((error) => this.#failed(lease, error));
        void round.sweep.then(next);
      });
    };
    cancel(this.#rounds.get(lease.partition));
    this.#rounds.set(lease.partition, round);
    lease.signal.addEventListener('abort', () => cancel(round), { once: true });
    next();
  }

  /** Resolves when nothing is under way any more. A partition that was lost meanwhile, and won again, goes on being sweptTo under its new lease. */
  async stop({ epoch, partition }: Lease): Promise<void> {
    const round = this.#rounds.get(partition);
    if (round?.epoch !== epoch) return;
    this.#rounds.delete(partition);
    cancel(round);
    await round.sweep;
  }

  #failed({ partition, signal }: Lease, error: unknown): void {
    if (!signal.aborted) this.#options.log.warn({ err: error, partition }, 'runs that ended are not archived yet');
  }

  /**
   * A run whose stop is not told is waited for, from one sweep to the next; one that the next finds so again stays in the stream for good.
   * @returns how many runs have left the stream
   */
  async sweep(lease: Lease, isStopped: () => boolean = () => false): Promise<number> {
    const { log, positions, streams } = this.#options;
    const { partition } = lease;
    const waited = this.#waitedFor.get(partition);
    let hasStopped = false;
    // A lease that is renewed late holds again: what was left out meanwhile is for the next sweep.
    const over = (): boolean => {
      hasStopped ||= isStopped() || !lease.valid;
      return hasStopped;
    };
    const stream = await streams.created();
    const stored = (await positions.get(archivePositionKeyOf(partition)))?.value;
    let sweptTo = stored?.stream === stream ? stored.seq : 0;
    let archived = 0;
    while (!over()) {
      const { runs, seq } = await this.#next(lease, sweptTo, waited?.epoch === lease.epoch ? waited.seq : undefined);
      if (seq === sweptTo) break;
      archived += await archiveRuns(this.#portsFor(lease), untilStopped(runs, over));
      if (over()) break;
      sweptTo = seq;
      await positions.put(archivePositionKeyOf(partition), { stream, seq });
    }
    if (archived > 0) log.debug({ partition, runs: archived }, 'runs archived');
    return archived;
  }

  /**
   * The next runs that ended long enough ago, and the sequence up to which these are all.
   * @param waited the stop that a sweep before this one waited for
   */
  async #next(lease: Lease, after: number, waited: number | undefined): Promise<NextBatch> {
    const { liveRunIndexOf, streams } = this.#options;
    const { epoch, partition } = lease;
    const before = await this.#endsBefore(partition);
    const runs = new Map<string, RunAddress>();
    let seq = after;
    for await (const message of streams.commits(partition, after)) {
      if (message.time.getTime() >= before || runs.size >= BATCH) break;
      const run = await this.#runThatEnded(message);
      if (run && liveRunIndexOf(lease).has(run)) {
        if (waited !== message.seq) {
          this.#waitedFor.set(partition, { epoch, seq: message.seq });
          break;
        }
      } else if (run) runs.set(run.runId, run);
      seq = message.seq;
    }
    return { runs: [...runs.values()], seq };
  }

  async #runThatEnded({ subject, data }: StoredCommit): Promise<RunAddress | undefined> {
    const run = parseJournalSubject(subject);
    const stop = endOfCommit(data) ?? endOfCommit(await this.#options.inline(data));
    if (!run || !stop || !hasEnded(stop.type) || stop.type === 'RUN_ARCHIVED') return undefined;
    return { workspaceId: run.workspaceId, runId: run.runId };
  }

  /**
   * Ends from this time on stay. A message that still lies in the inbox may be the one that an earlier stop follows from, and what it tells is told
   * when it is handled: then the journal must be what it was.
   */
  async #endsBefore(partition: number): Promise<number> {
    const { archiveAfterMs, clock, streams } = this.#options;
    const age = clock.now().getTime() - archiveAfterMs;
    const oldest = await streams.oldestInInbox(partition);
    return oldest ? Math.min(age, oldest.getTime()) : age;
  }

  #portsFor(lease: Lease): ArchivePorts {
    const { liveRunIndexOf, clock, epochOf, forget, journal, log, pack, packs, streams } = this.#options;
    return {
      journal: {
        load: (run) => journal.load(run),
        append: async (run, commit, expected) => {
          const answer = await journal.append(run, commit, expected);
          if (answer.outcome === 'stored') liveRunIndexOf(lease).advanceTo(answer.position);
          return answer;
        },
      },
      packs,
      ...(pack && { pack }),
      purge: async (run, before) => {
        // Before its commits go: as long as they are there, whoever dies here is not the last to look at the run.
        await forget(run);
        await streams.purge(run, before);
      },
      epoch: () => epochOf(lease),
      clock,
      onFailure: (run, error) => log.error({ err: error, ...run }, 'a run that ended cannot be archived'),
    };
  }
}

/** What it is at ends at the next run. */
function cancel(round: SweepLoop | undefined): void {
  if (!round) return;
  round.stopped = true;
  round.cancel();
}

/** What is stored of a partition is kept under this name. */
export const archivePositionKeyOf = (partition: number): string => `archived.${partition}`;

function* untilStopped(runs: readonly RunAddress[], isOver: () => boolean): Generator<RunAddress> {
  for (const run of runs) {
    if (isOver()) return;
    yield run;
  }
}
