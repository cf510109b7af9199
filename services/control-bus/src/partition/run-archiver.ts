import { type Bus, type Lease, openBucket, type TypedBucket } from '@reins/bus';
import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import { endOfCommit, hasEnded } from '@reins/journal';
import type { Logger } from '@reins/service-kit';
import { type ArchivePorts, archiveRuns } from './archive-runs.ts';
import { type ArchiveStreams, archiveStreams, type StoredCommit } from './archive-streams.ts';
import type { Clock } from './clock.ts';
import type { LiveRunIndex } from './live-run-index.ts';
import { loadUnder } from './load-under.ts';

export interface RunArchiverOptions extends Pick<ArchivePorts, 'journal' | 'packs' | 'pack'> {
  readonly streams: ArchiveStreams;
  readonly positions: Pick<TypedBucket<ArchivePosition>, 'get' | 'put'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  /** How long an ended run stays in the stream. */
  readonly archiveAfterMs: number;
  /** Resolves a commit that is stored as a blob because it is too large for the stream. */
  readonly inline: (commit: Uint8Array) => Promise<Uint8Array>;
  /** Removes the checkpoint of a run. */
  readonly removeCheckpoint: (run: RunAddress) => Promise<void>;
  readonly liveRunIndexOf: (lease: Lease) => Pick<LiveRunIndex, 'has' | 'advanceTo'>;
  readonly epochOf: (lease: Lease) => number;
}

/** `RunArchiverOptions`, with a bus in place of streams and positions. */
export interface BusRunArchiverOptions extends Omit<RunArchiverOptions, 'streams' | 'positions'> {
  readonly bus: Bus;
  readonly partitions: number;
}

/** Every run of the partition that ended up to this sequence has been handled. Stored in KV `positions`. */
export interface ArchivePosition {
  /** When the journal stream was created. */
  readonly stream: string;
  readonly seq: number;
}

interface NextBatch {
  readonly runs: readonly RunAddress[];
  readonly seq: number;
}

interface SweepLoop {
  readonly lease: Lease;
  stopped: boolean;
  cancel: () => void;
  sweep: Promise<unknown>;
}

/** The end of a run at which a sweep of this owner stopped, because its terminal fact was not published yet. */
interface SkippedEnd {
  readonly lease: Lease;
  readonly seq: number;
}

/** Runs per batch. The position is stored after each batch. */
const BATCH = 128;
/** The sweep interval is `archiveAfterMs` divided by this, within the bounds below. */
const SWEEPS_PER_AGE = 24;
const [MIN_MS, MAX_MS] = [1_000, 3_600_000];

/** Archives the ended runs of our partitions once they are old enough, in the order of their ends. */
export class RunArchiver {
  readonly #options: RunArchiverOptions;
  readonly #loops = new Map<number, SweepLoop>();
  /** By partition: where the last sweep stopped. */
  readonly #stoppedAt = new Map<number, SkippedEnd>();

  constructor(options: RunArchiverOptions) {
    this.#options = options;
  }

  static async open({ bus, partitions, ...options }: BusRunArchiverOptions): Promise<RunArchiver> {
    const positions = await openBucket<ArchivePosition>(bus, 'positions');
    return new RunArchiver({ ...options, positions, streams: archiveStreams(bus, partitions) });
  }

  /** Sweeps this partition periodically while we own it. */
  start(lease: Lease): void {
    if (lease.signal.aborted) return;
    const intervalMs = Math.min(Math.max(this.#options.archiveAfterMs / SWEEPS_PER_AGE, MIN_MS), MAX_MS);
    const loop: SweepLoop = { lease, stopped: false, cancel: () => {}, sweep: Promise.resolve() };
    const next = (): void => {
      if (loop.stopped) return;
      loop.cancel = this.#options.clock.after(intervalMs, () => {
        loop.sweep = this.sweep(lease, () => loop.stopped).catch((error) => this.#failed(lease, error));
        void loop.sweep.then(next);
      });
    };
    cancel(this.#loops.get(lease.partition));
    this.#loops.set(lease.partition, loop);
    lease.signal.addEventListener('abort', () => cancel(loop), { once: true });
    next();
  }

  /** Stops the sweeps under this lease, and waits for the running one. Sweeps under a newer lease continue. */
  async stop(lease: Lease): Promise<void> {
    const loop = this.#loops.get(lease.partition);
    if (loop?.lease !== lease) return;
    this.#loops.delete(lease.partition);
    cancel(loop);
    await loop.sweep;
  }

  #failed({ partition, signal }: Lease, error: unknown): void {
    if (!signal.aborted) this.#options.log.warn({ err: error, partition }, 'archive sweep failed');
  }

  /**
   * Stops at a run whose terminal fact is not published yet, and tries it again in the next sweep.
   * If the fact is still unpublished then, the run is skipped and stays in the stream.
   * @returns the number of runs that have left the stream
   */
  async sweep(lease: Lease, isStopped: () => boolean = () => false): Promise<number> {
    const { log, positions, streams } = this.#options;
    const { partition } = lease;
    const stoppedAt = this.#stoppedAt.get(partition);
    let hasStopped = false;
    // A lease that was renewed late is valid again. Runs that were skipped meanwhile are left for the next sweep.
    const isCancelled = (): boolean => {
      hasStopped ||= isStopped() || !lease.valid;
      return hasStopped;
    };
    const stream = await streams.created();
    const stored = (await positions.get(archivePositionKeyOf(partition)))?.value;
    let sweptTo = stored?.stream === stream ? stored.seq : 0;
    let archived = 0;
    while (!isCancelled()) {
      const { runs, seq } = await this.#next(lease, sweptTo, stoppedAt?.lease === lease ? stoppedAt.seq : undefined);
      if (seq === sweptTo) break;
      archived += await archiveRuns(this.#portsFor(lease), untilStopped(runs, isCancelled));
      if (isCancelled()) break;
      sweptTo = seq;
      await positions.put(archivePositionKeyOf(partition), { stream, seq });
    }
    if (archived > 0) log.debug({ partition, runs: archived }, 'runs archived');
    return archived;
  }

  /**
   * The next runs that are old enough, and the sequence up to which they are complete.
   * @param stoppedAt where an earlier sweep of this owner stopped
   */
  async #next(lease: Lease, after: number, stoppedAt: number | undefined): Promise<NextBatch> {
    const { liveRunIndexOf, streams } = this.#options;
    const { partition } = lease;
    const before = await this.#endsBefore(partition);
    // Read after the inbox: a message leaves the inbox when it is held.
    const held = new Set((await streams.heldRuns(partition)).map(({ runId }) => runId));
    const runs = new Map<string, RunAddress>();
    let seq = after;
    for await (const message of streams.commits(partition, after)) {
      if (message.time.getTime() >= before || runs.size >= BATCH) break;
      const run = await this.#runThatEnded(message);
      // Its owner is about to remove them: they change nothing after the end.
      if (run && held.has(run.runId)) break;
      if (run && liveRunIndexOf(lease).has(run)) {
        if (stoppedAt !== message.seq) {
          this.#stoppedAt.set(partition, { lease, seq: message.seq });
          break;
        }
      } else if (run) runs.set(run.runId, run);
      seq = message.seq;
    }
    return { runs: [...runs.values()], seq };
  }

  async #runThatEnded({ subject, data }: StoredCommit): Promise<RunAddress | undefined> {
    const run = parseJournalSubject(subject);
    const end = endOfCommit(data) ?? endOfCommit(await this.#options.inline(data));
    if (!run || !end || !hasEnded(end.type) || end.type === 'RUN_ARCHIVED') return undefined;
    return { workspaceId: run.workspaceId, runId: run.runId };
  }

  /**
   * Runs that ended at or after this time are not archived. An unacknowledged inbox message may have caused an earlier
   * end. When it is redelivered, its facts are published again, and that needs the whole journal. A held message causes
   * only the end of its own run.
   */
  async #endsBefore(partition: number): Promise<number> {
    const { archiveAfterMs, clock, streams } = this.#options;
    const age = clock.now().getTime() - archiveAfterMs;
    const oldest = await streams.oldestInInbox(partition);
    return oldest ? Math.min(age, oldest.getTime()) : age;
  }

  #portsFor(lease: Lease): ArchivePorts {
    const { liveRunIndexOf, clock, epochOf, removeCheckpoint, journal, log, pack, packs, streams } = this.#options;
    return {
      journal: {
        load: (run) => loadUnder(lease, journal, run),
        append: async (run, commit, expected) => {
          const appended = await journal.append(run, commit, expected);
          if (appended.outcome === 'stored') liveRunIndexOf(lease).advanceTo(appended.position);
          return appended;
        },
      },
      packs,
      ...(pack && { pack }),
      purge: async (run, before) => {
        // First the checkpoint: while the commits exist, a repeat after a crash finds the run again.
        await removeCheckpoint(run);
        await streams.purge(run, before);
      },
      epoch: () => epochOf(lease),
      clock,
      onFailure: (run, error) => log.error({ err: error, ...run }, 'run not archived'),
    };
  }
}

/** A running sweep stops before its next run. */
function cancel(loop: SweepLoop | undefined): void {
  if (!loop) return;
  loop.stopped = true;
  loop.cancel();
}

/** The KV key of a partition's archive position. */
export const archivePositionKeyOf = (partition: number): string => `archived.${partition}`;

function* untilStopped(runs: readonly RunAddress[], isCancelled: () => boolean): Generator<RunAddress> {
  for (const run of runs) {
    if (isCancelled()) return;
    yield run;
  }
}
