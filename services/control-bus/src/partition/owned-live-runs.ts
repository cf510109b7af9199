import { Blobs, type Bus, type Lease, leaderOf, openBucket } from '@reins/bus';
import { HEADERS, type RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import { Fenced } from '../run/lifecycle/run-errors.ts';
import { LiveRunIndex, type LiveRunSnapshot } from './live-run-index.ts';
import { LiveRunSnapshots, type StoredSnapshot } from './live-run-snapshots.ts';
import { type LiveRuns, liveRuns } from './live-runs.ts';

export interface LiveRunsPorts {
  readonly snapshots: Pick<LiveRunSnapshots, 'claim' | 'put' | 'replace'>;
  /** Finds the live runs of a partition: from the previous owner's snapshot on, or from the beginning. */
  readonly find: (partition: number, snapshot: LiveRunSnapshot | undefined) => Promise<LiveRuns>;
  readonly log: Pick<Logger, 'warn'>;
  /** Minimum number of commits between two snapshots. Default: that of `LiveRunIndex`. */
  readonly snapshotEvery?: number;
}

/** The object store of large snapshots. It also holds the archive. */
const STORE = 'archive';

/** Opens the ports over the bus. */
export async function openLiveRuns(bus: Bus, blobs: Blobs, log: Pick<Logger, 'warn'>): Promise<LiveRunsPorts> {
  const bucket = await openBucket<StoredSnapshot>(bus, 'positions');
  const stream = async () => {
    const { created, state } = await bus.jsm.streams.info('JOURNAL');
    return { created: String(created), lastSeq: state.last_seq };
  };
  const commitAt = async (seq: number) => {
    const found = seq > 0 ? await leaderOf(bus, 'JOURNAL').atOrAfter(seq) : undefined;
    return found?.seq === seq ? found.header(HEADERS.messageId) : undefined;
  };
  const snapshots = new LiveRunSnapshots({ bucket, stream, commitAt, log, blobs: await Blobs.open(bus, STORE) });
  return { snapshots, log, find: (partition, snapshot) => liveRuns(bus, blobs, partition, snapshot) };
}

/**
 * The live runs of a partition that we own under one lease. Snapshots of their index let the next owner find its runs
 * without reading ended ones.
 */
export class OwnedLiveRuns {
  readonly index: LiveRunIndex;
  readonly #ports: LiveRunsPorts;
  readonly #lease: Lease;
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** Resolves when a snapshot under our epoch exists. */
  readonly #ready = Promise.withResolvers<void>();

  constructor(ports: LiveRunsPorts, lease: Lease) {
    this.#ports = ports;
    this.#lease = lease;
    this.index = new LiveRunIndex(() => void this.save(), ports.snapshotEvery);
    this.#ready.promise.catch(() => undefined);
  }

  /**
   * Completes the index of a new owner, and makes sure that a snapshot under its epoch exists.
   * @returns the runs that the owner loads into memory
   * @throws Fenced when the lease was not valid at the time of the first snapshot
   */
  async takeOver(): Promise<readonly RunAddress[]> {
    const { find, snapshots } = this.#ports;
    const lease = this.#lease;
    try {
      const snapshot = await snapshots.claim(lease);
      if (snapshot) this.#ready.resolve();
      const { owned, open, position } = await find(lease.partition, snapshot);
      this.index.complete(open, position);
      if (!snapshot && !(await this.#write((first) => snapshots.put(lease, first))))
        throw new Fenced(`partition ${lease.partition}`);
      this.#ready.resolve();
      return owned;
    } catch (error) {
      this.#ready.reject(error);
      throw error;
    }
  }

  /**
   * Resolves when a snapshot under our epoch exists. The owner appends nothing before that, for two reasons:
   * the next owner must find a run that ended with its terminal fact unpublished, and a previous owner that does not
   * know of its loss must not write a snapshot that lacks our commits.
   * @throws the error with which `takeOver` failed
   */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Writes a snapshot. A failure is only logged: the next owner uses the previous snapshot and reads more commits. */
  async save(): Promise<void> {
    const { log, snapshots } = this.#ports;
    await this.#write((snapshot) => snapshots.replace(this.#lease, snapshot)).catch((error) => {
      log.warn({ err: error, partition: this.#lease.partition }, 'live-run snapshot not written');
    });
  }

  /** Serializes writes. @returns false when nothing was written: the index is incomplete, or the lease is not valid */
  #write(write: (snapshot: LiveRunSnapshot) => Promise<void>): Promise<boolean> {
    const written = this.#lastWrite.then(async () => {
      const snapshot = this.index.snapshot();
      if (!snapshot || !this.#lease.valid) return false;
      await write(snapshot);
      return true;
    });
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }
}
