import { Blobs, type Bus, type Lease, openBucket } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import { Fenced } from '../run/run-actor.ts';
import { type LiveRuns, liveRuns } from './live-runs.ts';
import { type BookPage, RunBook } from './run-book.ts';
import { type KeptPage, RunPages } from './run-pages.ts';

interface HeldBook {
  readonly epoch: number;
  readonly book: RunBook;
  writing: Promise<unknown>;
  /** Settled when there is a page, whoever wrote it. */
  readonly opened: PromiseWithResolvers<void>;
}

/** What books need of the world. */
export interface RunBooksOptions {
  readonly pages: Pick<RunPages, 'claim' | 'put' | 'replace'>;
  /** The runs of a partition, from the page of the owner before on; without one, from the beginning. */
  readonly liveRuns: (partition: number, page: BookPage | undefined) => Promise<LiveRuns>;
  readonly log: Pick<Logger, 'warn'>;
  /** The least number of commits between two pages. Default: that of `RunBook`. */
  readonly pageAfter?: number;
}

/** Where long pages lie: beside what has left the journals. */
const STORE = 'archive';

/** The books of the partitions that are ours, and their pages, by which a next owner finds its runs without looking at those that ended. */
export class RunBooks {
  readonly #options: RunBooksOptions;
  readonly #held = new Map<number, HeldBook>();

  constructor(options: RunBooksOptions) {
    this.#options = options;
  }

  static async open(bus: Bus, blobs: Blobs, log: Pick<Logger, 'warn'>): Promise<RunBooks> {
    const bucket = await openBucket<KeptPage>(bus, 'positions');
    const stream = async () => {
      const { created, state } = await bus.jsm.streams.info('JOURNAL');
      return { created: String(created), lastSeq: state.last_seq };
    };
    const pages = new RunPages({ bucket, stream, log, long: await Blobs.open(bus, STORE) });
    return new RunBooks({ pages, log, liveRuns: (partition, page) => liveRuns(bus, blobs, partition, page) });
  }

  /** The book of a partition under this ownership. */
  of(lease: Lease): RunBook {
    return this.#heldUnder(lease).book;
  }

  #heldUnder(lease: Lease): HeldBook {
    const known = this.#held.get(lease.partition);
    if (known?.epoch === lease.epoch) return known;
    const book = new RunBook(() => void this.keep(lease), this.#options.pageAfter);
    const held: HeldBook = { epoch: lease.epoch, book, writing: Promise.resolve(), opened: Promise.withResolvers() };
    held.opened.promise.catch(() => undefined);
    // Whoever leaves a lease that was lost, and won again meanwhile, does not take the book of the new one away.
    if (!known || known.epoch < lease.epoch) this.#held.set(lease.partition, held);
    return held;
  }

  /** The runs that the new owner brings into memory. @throws Fenced where the lease was in doubt when its first page was to be written */
  async begin(lease: Lease): Promise<readonly RunAddress[]> {
    const { pages } = this.#options;
    const { opened } = this.#heldUnder(lease);
    try {
      const page = await pages.claim(lease);
      if (page) opened.resolve();
      const { owned, open, position } = await this.#options.liveRuns(lease.partition, page);
      this.of(lease).complete(open, position);
      if (!page && !(await this.#written(lease, (first) => pages.put(lease, first))))
        throw new Fenced(`partition ${lease.partition}`);
      opened.resolve();
      return owned;
    } catch (error) {
      opened.reject(error);
      throw error;
    }
  }

  /**
   * Nothing is appended before this resolves: there is a page of ours then. Without one, whoever comes next would not find a run that has ended
   * since, and whose end was not told; and one of an owner before, who does not know that it is over, could leave out what we append.
   * @throws what kept the owner from beginning
   */
  opened(lease: Lease): Promise<void> {
    return this.#heldUnder(lease).opened.promise;
  }

  /** Writes a page. One that cannot be written costs the next owner time, and no more: it has the one before. */
  async keep(lease: Lease): Promise<void> {
    await this.#written(lease, (page) => this.#options.pages.replace(lease, page)).catch((error) => {
      const { log } = this.#options;
      log.warn({ err: error, partition: lease.partition }, 'what a next owner should know cannot be written');
    });
  }

  /** One after the other. False: nothing was written, because the book is not complete or the lease is in doubt. */
  #written(lease: Lease, write: (page: BookPage) => Promise<void>): Promise<boolean> {
    const held = this.#heldUnder(lease);
    const written = held.writing.then(async () => {
      const page = held.book.page();
      if (!page || !lease.valid) return false;
      await write(page);
      return true;
    });
    held.writing = written.catch(() => undefined);
    return written;
  }
}
