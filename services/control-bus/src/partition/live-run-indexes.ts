import { Blobs, type Bus, type Lease, openBucket } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import { Fenced } from '../run/run-actor.ts';
import { LiveRunIndex, type LiveRunSnapshot } from './live-run-index.ts';
import { LiveRunSnapshots, type StoredSnapshot } from './live-run-snapshots.ts';
import { type LiveRuns, liveRuns } from './live-runs.ts';

interface OwnedIndex {
  readonly epoch: number;
  readonly index: LiveRunIndex;
  lastWrite: Promise<unknown>;
  /** Settled when there is a snapshot, whoever wrote it. */
  readonly ready: PromiseWithResolvers<void>;
}

/** What books need of the world. */
export interface LiveRunIndexesOptions {
  readonly snapshots: Pick<LiveRunSnapshots, 'claim' | 'put' | 'replace'>;
  /** The runs of a partition, from the snapshot of the owner before on; without one, from the beginning. */
  readonly liveRuns: (partition: number, snapshot: LiveRunSnapshot | undefined) => Promise<LiveRuns>;
  readonly log: Pick<Logger, 'warn'>;
  /** The least number of commits between two snapshots. Default: that of `LiveRunIndex`. */
  readonly snapshotEvery?: number;
}

/** Where blobs snapshots lie: beside what has left the journals. */
const STORE = 'archive';

/** The books of the partitions that are ours, and their snapshots, by which a next owner finds its runs without looking at those that ended. */
export class LiveRunIndexes {
  readonly #options: LiveRunIndexesOptions;
  readonly #owned = new Map<number, OwnedIndex>();

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

  /** The index of a partition under this ownership. */
  of(lease: Lease): LiveRunIndex {
    return this.#ownedUnder(lease).index;
  }

  #ownedUnder(lease: Lease): OwnedIndex {
    const known = this.#owned.get(lease.partition);
    if (known?.epoch === lease.epoch) return known;
    const index = new LiveRunIndex(() => void this.save(lease), this.#options.snapshotEvery);
    const owned: OwnedIndex = {
      epoch: lease.epoch,
      index,
      lastWrite: Promise.resolve(),
      ready: Promise.withResolvers(),
    };
    owned.ready.promise.catch(() => undefined);
    // Whoever leaves a lease that was lost, and won again meanwhile, does not take the index of the new one away.
    if (!known || known.epoch < lease.epoch) this.#owned.set(lease.partition, owned);
    return owned;
  }

  /** The runs that the new owner brings into memory. @throws Fenced where the lease was in doubt when its first snapshot was to be written */
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
   * Nothing is appended before this resolves: there is a snapshot of ours then. Without one, whoever comes next would not find a run that has ended
   * since, and whose end was not told; and one of an owner before, who does not know that it is over, could leave out what we append.
   * @throws what kept the owner from beginning
   */
  ready(lease: Lease): Promise<void> {
    return this.#ownedUnder(lease).ready.promise;
  }

  /** Writes a snapshot. One that cannot be written costs the next owner time, and no more: it has the one before. */
  async save(lease: Lease): Promise<void> {
    await this.#write(lease, (snapshot) => this.#options.snapshots.replace(lease, snapshot)).catch((error) => {
      const { log } = this.#options;
      log.warn({ err: error, partition: lease.partition }, 'what a next owner should know cannot be written');
    });
  }

  /** One after the other. False: nothing was written, because the index is not complete or the lease is in doubt. */
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
