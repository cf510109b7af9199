import type { TypedBucket } from '@reins/bus';
import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import { endOfCommit, hasEnded } from '@reins/journal';
import type { Logger } from '@reins/service-kit';
import { type ArchivePorts, archiveRuns } from './archive-runs.ts';
import type { ArchiveStreams, StoredCommit } from './archive-streams.ts';
import type { Clock } from './clock.ts';
import type { OwnedJournal } from './owned-journal.ts';

export interface RunArchiverPorts extends Pick<ArchivePorts, 'packs' | 'pack'> {
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
  /** Called for an ended run that stays in the stream because its terminal fact was not published. */
  readonly onSkipped: (run: RunAddress) => void;
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

/** Runs per batch. The position is stored after each batch. */
const BATCH = 128;
/** The sweep interval is `archiveAfterMs` divided by this, within the bounds below. */
const SWEEPS_PER_AGE = 24;
const [MIN_MS, MAX_MS] = [1_000, 3_600_000];

/** Archives the ended runs of an owned partition once they are old enough, in the order of their ends. */
export class RunArchiver {
  readonly #ports: RunArchiverPorts;
  readonly #journal: OwnedJournal;
  #isStopped = false;
  #cancel: () => void = () => {};
  #sweep: Promise<unknown> = Promise.resolve();
  /** The end of a run at which a sweep stopped, because its terminal fact was not published yet. */
  #stoppedAt: number | undefined;

  constructor(ports: RunArchiverPorts, journal: OwnedJournal) {
    this.#ports = ports;
    this.#journal = journal;
  }

  /** Sweeps the partition periodically while we own it. */
  start(): void {
    const { signal } = this.#journal.lease;
    if (signal.aborted) return;
    signal.addEventListener('abort', () => void this.stop(), { once: true });
    this.#sweepLater();
  }

  /** Stops the sweeps, and waits for the running one. It stops before its next run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#sweep;
  }

  #sweepLater(): void {
    if (this.#isStopped) return;
    const { archiveAfterMs, clock } = this.#ports;
    const intervalMs = Math.min(Math.max(archiveAfterMs / SWEEPS_PER_AGE, MIN_MS), MAX_MS);
    this.#cancel = clock.after(intervalMs, () => {
      this.#sweep = this.sweep().catch((error) => this.#failed(error));
      void this.#sweep.then(() => this.#sweepLater());
    });
  }

  #failed(error: unknown): void {
    const { partition, signal } = this.#journal.lease;
    if (!signal.aborted) this.#ports.log.warn({ err: error, partition }, 'archive sweep failed');
  }

  /**
   * Stops at a run whose terminal fact is not published yet, and tries it again in the next sweep.
   * If the fact is still unpublished then, the run is skipped and stays in the stream.
   * @returns the number of runs that have left the stream
   */
  async sweep(): Promise<number> {
    const { log, positions, streams } = this.#ports;
    const { lease } = this.#journal;
    const { partition } = lease;
    const stoppedAt = this.#stoppedAt;
    let hasStopped = false;
    // Cancelled for good once the lease has expired. The next owner archives the runs that are left.
    const isCancelled = (): boolean => {
      hasStopped ||= this.#isStopped || !lease.valid;
      return hasStopped;
    };
    const stream = await streams.created();
    const stored = (await positions.get(archivePositionKeyOf(partition)))?.value;
    let sweptTo = stored?.stream === stream ? stored.seq : 0;
    let archived = 0;
    while (!isCancelled()) {
      const { runs, seq } = await this.#next(sweptTo, stoppedAt);
      if (seq === sweptTo) break;
      archived += await archiveRuns(this.#archivePorts(), untilStopped(runs, isCancelled));
      if (isCancelled()) break;
      sweptTo = seq;
      await positions.put(archivePositionKeyOf(partition), { stream, seq });
    }
    if (archived > 0) log.debug({ partition, runs: archived }, 'runs archived');
    return archived;
  }

  /**
   * The next runs that are old enough, and the sequence up to which they are complete.
   * @param stoppedAt where an earlier sweep stopped
   */
  async #next(after: number, stoppedAt: number | undefined): Promise<NextBatch> {
    const { onSkipped, streams } = this.#ports;
    const { partition } = this.#journal.lease;
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
      if (run && this.#journal.isLive(run)) {
        if (stoppedAt !== message.seq) {
          this.#stoppedAt = message.seq;
          break;
        }
        onSkipped(run);
      } else if (run) runs.set(run.runId, run);
      seq = message.seq;
    }
    return { runs: [...runs.values()], seq };
  }

  async #runThatEnded({ subject, data }: StoredCommit): Promise<RunAddress | undefined> {
    const run = parseJournalSubject(subject);
    const end = endOfCommit(data) ?? endOfCommit(await this.#ports.inline(data));
    if (!run || !end || !hasEnded(end.type) || end.type === 'RUN_ARCHIVED') return undefined;
    return { workspaceId: run.workspaceId, runId: run.runId };
  }

  /**
   * Runs that ended at or after this time are not archived. An unacknowledged inbox message may have caused an earlier
   * end. When it is redelivered, its facts are published again, and that needs the whole journal. A held message causes
   * only the end of its own run.
   */
  async #endsBefore(partition: number): Promise<number> {
    const { archiveAfterMs, clock, streams } = this.#ports;
    const age = clock.now().getTime() - archiveAfterMs;
    const oldest = await streams.oldestInInbox(partition);
    return oldest ? Math.min(age, oldest.getTime()) : age;
  }

  #archivePorts(): ArchivePorts {
    const { clock, removeCheckpoint, log, pack, packs, streams } = this.#ports;
    const journal = this.#journal;
    return {
      journal: {
        load: (run) => journal.loadStored(run),
        append: (run, commit, expected) => journal.appendStub(run, commit, expected),
      },
      packs,
      ...(pack && { pack }),
      purge: async (run, before) => {
        // First the checkpoint: while the commits exist, a repeat after a crash finds the run again.
        await removeCheckpoint(run);
        await streams.purge(run, before);
      },
      epoch: () => journal.epoch,
      clock,
      onFailure: (run, error) => log.error({ err: error, ...run }, 'run not archived'),
    };
  }
}

/** The KV key of a partition's archive position. */
export const archivePositionKeyOf = (partition: number): string => `archived.${partition}`;

function* untilStopped(runs: readonly RunAddress[], isCancelled: () => boolean): Generator<RunAddress> {
  for (const run of runs) {
    if (isCancelled()) return;
    yield run;
  }
}
