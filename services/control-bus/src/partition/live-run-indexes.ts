import { Blobs, type Bus, type Lease, openBucket } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import { Fenced } from '../run/run-actor.ts';
import { LiveRunIndex, type LiveRunSnapshot } from './live-run-index.ts';
import { LiveRunSnapshots, type StoredSnapshot } from './live-run-snapshots.ts';
import { type LiveRuns, liveRuns } from './live-runs.ts';

interface OwnedIndex {
  readonly index: LiveRunIndex;
  lastWrite: Promise<unknown>;
  /** Resolves when a snapshot under our epoch exists. */
  readonly ready: PromiseWithResolvers<void>;
}

export interface LiveRunIndexesOptions {
  readonly snapshots: Pick<LiveRunSnapshots, 'claim' | 'put' | 'replace'>;
  /** Finds the live runs of a partition: from the previous owner's snapshot on, or from the beginning. */
  readonly liveRuns: (partition: number, snapshot: LiveRunSnapshot | undefined) => Promise<LiveRuns>;
  readonly log: Pick<Logger, 'warn'>;
  /** Minimum number of commits between two snapshots. Default: that of `LiveRunIndex`. */
  readonly snapshotEvery?: number;
}

/** The object store of large snapshots. It also holds the archive. */
const STORE = 'archive';

/** The live-run indexes of our partitions. Their snapshots let the next owner find its runs without reading ended ones. */
export class LiveRunIndexes {
  readonly #options: LiveRunIndexesOptions;
  /** Each ownership of a partition has its own index. */
  readonly #owned = new WeakMap<Lease, OwnedIndex>();

  constructor(options: LiveRunIndexesOptions) {
    this.#options = options;
  }

  static async open(bus: Bus, blobs: Blobs, log: Pick<Logger, 'warn'>): Promise<LiveRunIndexes> {
    const bucket = await openBucket<StoredSnapshot>(bus, 'positions');
    const stream = async () => {
      const { created, state } = await bus.jsm.streams.info('JOURNAL');
      return { created: String(created), lastSeq: state.last_seq };
    };
    const snapshots = new LiveRunSnapshots({ bucket, stream, log, blobs: await Blobs.open(bus, STORE) });
    return new LiveRunIndexes({
      snapshots,
      log,
      liveRuns: (partition, snapshot) => liveRuns(bus, blobs, partition, snapshot),
    });
  }

  /** The index of a partition under this lease. */
  of(lease: Lease): LiveRunIndex {
    return this.#ownedUnder(lease).index;
  }

  #ownedUnder(lease: Lease): OwnedIndex {
    const known = this.#owned.get(lease);
    if (known) return known;
    const index = new LiveRunIndex(() => void this.save(lease), this.#options.snapshotEvery);
    const owned: OwnedIndex = { index, lastWrite: Promise.resolve(), ready: Promise.withResolvers() };
    owned.ready.promise.catch(() => undefined);
    this.#owned.set(lease, owned);
    return owned;
  }

  /**
   * Completes the index of a new owner, and makes sure that a snapshot under its epoch exists.
   * @returns the runs that the owner loads into memory
   * @throws Fenced when the lease was not valid at the time of the first snapshot
   */
  async takeOver(lease: Lease): Promise<readonly RunAddress[]> {
    const { snapshots } = this.#options;
    const { ready } = this.#ownedUnder(lease);
    try {
      const snapshot = await snapshots.claim(lease);
      if (snapshot) ready.resolve();
      const { owned, open, position } = await this.#options.liveRuns(lease.partition, snapshot);
      this.of(lease).complete(open, position);
      if (!snapshot && !(await this.#write(lease, (first) => snapshots.put(lease, first))))
        throw new Fenced(`partition ${lease.partition}`);
      ready.resolve();
      return owned;
    } catch (error) {
      ready.reject(error);
      throw error;
    }
  }

  /**
   * Resolves when a snapshot under our epoch exists. The owner appends nothing before that, for two reasons:
   * the next owner must find a run that ended with its terminal fact unpublished, and a previous owner that does not
   * know of its loss must not write a snapshot that lacks our commits.
   * @throws the error with which `takeOver` failed
   */
  ready(lease: Lease): Promise<void> {
    return this.#ownedUnder(lease).ready.promise;
  }

  /** Writes a snapshot. A failure is only logged: the next owner uses the previous snapshot and reads more commits. */
  async save(lease: Lease): Promise<void> {
    await this.#write(lease, (snapshot) => this.#options.snapshots.replace(lease, snapshot)).catch((error) => {
      const { log } = this.#options;
      log.warn({ err: error, partition: lease.partition }, 'live-run snapshot not written');
    });
  }

  /** Serializes writes. @returns false when nothing was written: the index is incomplete, or the lease is not valid */
  #write(lease: Lease, write: (snapshot: LiveRunSnapshot) => Promise<void>): Promise<boolean> {
    const owned = this.#ownedUnder(lease);
    const written = owned.lastWrite.then(async () => {
      const snapshot = owned.index.snapshot();
      if (!snapshot || !lease.valid) return false;
      await write(snapshot);
      return true;
    });
    owned.lastWrite = written.catch(() => undefined);
    return written;
  }
}
