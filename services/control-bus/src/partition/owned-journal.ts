import { isPermanent, type Lease } from '@reins/bus';
import type { BlobRef, RunAddress } from '@reins/contracts';
import {
  type AppendOutcome,
  type Commit,
  type CommitEnd,
  CorruptedJournalError,
  type JournalStore,
  type LoadedJournal,
  loadThroughArchive,
  type Position,
} from '@reins/journal';
import type { Reconciler } from '../reconcile/reconciler.ts';
import { Fenced } from '../run/lifecycle/run-errors.ts';
import type { RunJournal } from '../run/run-ports.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { OwnedLiveRuns } from './owned-live-runs.ts';

export interface OwnedJournalOptions {
  readonly lease: Lease;
  /** The journals as stored in the stream. */
  readonly store: JournalStore;
  /** Fetches a pack of the archive. */
  readonly fetchPack: (ref: BlobRef) => Promise<Uint8Array>;
  readonly liveRuns: Pick<OwnedLiveRuns, 'index' | 'ready'>;
  readonly checkpoints: Pick<Checkpoints, 'onAppend'>;
  /** Follows which commits have published facts. */
  readonly progress: Pick<Reconciler, 'appending' | 'appended' | 'archived' | 'settled'>;
}

/**
 * The journals of a partition, as its owner under one lease reads and writes them. Every append checks the lease,
 * records the run in the live-run index, appends to the store, and extends the checkpoint.
 */
export class OwnedJournal implements RunJournal {
  readonly lease: Lease;
  readonly #store: JournalStore;
  readonly #liveRuns: OwnedJournalOptions['liveRuns'];
  readonly #checkpoints: OwnedJournalOptions['checkpoints'];
  readonly #progress: OwnedJournalOptions['progress'];
  readonly #loadThroughArchive: JournalStore['load'];

  constructor({ lease, store, fetchPack, liveRuns, checkpoints, progress }: OwnedJournalOptions) {
    this.lease = lease;
    this.#store = store;
    this.#liveRuns = liveRuns;
    this.#checkpoints = checkpoints;
    this.#progress = progress;
    this.#loadThroughArchive = loadThroughArchive((run) => store.load(run), fetchPack);
  }

  get epoch(): number {
    const { valid, epoch, partition } = this.lease;
    if (!valid) throw new Fenced(`partition ${partition}`);
    return epoch;
  }

  load(run: RunAddress): Promise<LoadedJournal> {
    return this.#loadAndRaiseEpoch(this.#loadThroughArchive, run);
  }

  /** Like `load`, but returns the stub of an archived run. */
  loadStored(run: RunAddress): Promise<LoadedJournal> {
    return this.#loadAndRaiseEpoch((address) => this.#store.load(address), run);
  }

  /** Waits until the takeover is done: the next owner must find the run. */
  async append(run: RunAddress, commit: Commit, expected: Position): Promise<AppendOutcome> {
    this.#assertOwned();
    await this.#liveRuns.ready();
    this.#assertOwned();
    const { index } = this.#liveRuns;
    index.started(run);
    const nothingStored = this.#progress.appending(run);
    const appended = await this.#store.append(run, commit, expected).catch((error: unknown) => {
      if (isPermanent(error)) nothingStored();
      throw error;
    });
    if (appended.outcome === 'fenced') {
      nothingStored();
      return appended;
    }
    index.appended(appended.position);
    this.#progress.appended(run, appended.position);
    this.#checkpoints.onAppend(run, commit);
    return appended;
  }

  /** Appends the stub of an archived run. Such a run is not in the index. */
  async appendStub(run: RunAddress, commit: Commit, expected: Position): Promise<AppendOutcome> {
    const appended = await this.#store.append(run, commit, expected);
    if (appended.outcome === 'fenced') return appended;
    this.#liveRuns.index.advanceTo(appended.position);
    this.#progress.archived(appended.position);
    return appended;
  }

  settled(run: RunAddress, end: CommitEnd): void {
    this.#liveRuns.index.settled(run, end);
    this.#progress.settled(run);
  }

  isSettled(run: RunAddress, version: number): boolean {
    return this.#liveRuns.index.isSettled(run, version);
  }

  /** False only when the run has ended and its terminal fact is published. */
  isLive(run: RunAddress): boolean {
    return this.#liveRuns.index.has(run);
  }

  /** @throws Fenced when the lease has expired by our own clock */
  #assertOwned(): void {
    void this.epoch;
  }

  /**
   * The last commit may have a higher epoch than the owner, because the leases were restored from an earlier copy. The
   * epoch of the lease is raised then.
   */
  async #loadAndRaiseEpoch(load: JournalStore['load'], run: RunAddress): Promise<LoadedJournal> {
    try {
      const loaded = await load(run);
      await this.#raiseEpochTo(loaded);
      return loaded;
    } catch (error) {
      if (error instanceof CorruptedJournalError) await this.#raiseEpochTo(error.validPrefix);
      throw error;
    }
  }

  async #raiseEpochTo({ epoch = 0 }: Pick<LoadedJournal, 'epoch'>): Promise<void> {
    if (epoch > this.lease.epoch) await this.lease.raiseEpoch(epoch);
  }
}
