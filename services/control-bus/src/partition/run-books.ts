import { Blobs, type Bus, type Lease, openBucket, type TypedBucket } from '@reins/bus';
import { type BlobRef, isReinsError, isRetryable, type RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import { Fenced } from '../run/run-actor.ts';
import { liveRuns } from './live-runs.ts';
import { type BookPage, RunBook } from './run-book.ts';

/** A page as it is kept. A long one lies beside it. */
interface KeptPage {
  /** When the journal stream was made: a page says nothing about another one. */
  readonly stream: string;
  /** The ownership that it was written under, or that began with it. */
  readonly epoch?: number;
  readonly page?: BookPage;
  readonly ref?: BlobRef;
}

interface FoundPage {
  readonly kept: KeptPage;
  readonly revision: number;
  readonly page: BookPage;
}

interface HeldBook {
  readonly epoch: number;
  readonly book: RunBook;
  writing: Promise<unknown>;
  /** Settled when there is a page, whoever wrote it. */
  readonly opened: PromiseWithResolvers<void>;
}

/** A page of at most this many characters is kept where it is named. */
const SHORT = 64 * 1024;
/** So often a page is taken over while somebody else writes it; then every journal is looked at. */
const CLAIMS = 3;
/** Where long pages lie: beside what has left the journals. */
const STORE = 'archive';

/** Of a page that says nothing of it, the least. */
const epochIn = ({ epoch = 0 }: KeptPage): number => epoch;

const keyOf = (partition: number): string => `runs.${partition}`;

/** The books of the partitions that are ours, and their pages, by which a next owner finds its runs without looking at those that ended. */
export class RunBooks {
  readonly #bus: Bus;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #bucket: TypedBucket<KeptPage>;
  readonly #long: Blobs;
  readonly #blobs: Blobs;
  readonly #held = new Map<number, HeldBook>();

  private constructor(bus: Bus, log: Pick<Logger, 'warn'>, bucket: TypedBucket<KeptPage>, long: Blobs, blobs: Blobs) {
    this.#bus = bus;
    this.#log = log;
    this.#bucket = bucket;
    this.#long = long;
    this.#blobs = blobs;
  }

  static async open(bus: Bus, blobs: Blobs, log: Pick<Logger, 'warn'>): Promise<RunBooks> {
    return new RunBooks(bus, log, await openBucket<KeptPage>(bus, 'positions'), await Blobs.open(bus, STORE), blobs);
  }

  /** The book of a partition under this ownership. */
  of(lease: Lease): RunBook {
    return this.#heldUnder(lease).book;
  }

  #heldUnder(lease: Lease): HeldBook {
    const known = this.#held.get(lease.partition);
    if (known?.epoch === lease.epoch) return known;
    const book = new RunBook(() => void this.keep(lease));
    const held: HeldBook = { epoch: lease.epoch, book, writing: Promise.resolve(), opened: Promise.withResolvers() };
    held.opened.promise.catch(() => undefined);
    // Whoever leaves a lease that was lost, and won again meanwhile, does not take the book of the new one away.
    if (!known || known.epoch < lease.epoch) this.#held.set(lease.partition, held);
    return held;
  }

  /** The runs that the new owner brings into memory. @throws Fenced where the lease was in doubt when its first page was to be written */
  async begin(lease: Lease): Promise<readonly RunAddress[]> {
    const { opened } = this.#heldUnder(lease);
    try {
      const page = await this.#claimed(lease);
      if (page) opened.resolve();
      const { owned, open, position } = await liveRuns(this.#bus, this.#blobs, lease.partition, page);
      this.of(lease).complete(open, position);
      if (!page && !(await this.#written(lease, (first) => this.#put(lease, first))))
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
    await this.#written(lease, (page) => this.#replace(lease, page)).catch((error) => {
      this.#log.warn({ err: error, partition: lease.partition }, 'what a next owner should know cannot be written');
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

  /** The first page of an owner that looked at every journal, whatever is there. */
  async #put({ partition, epoch }: Lease, page: BookPage): Promise<void> {
    const before = await this.#bucket.get(keyOf(partition)).catch(() => undefined);
    const kept = await this.#kept(page, epoch);
    await this.#bucket.put(keyOf(partition), kept);
    await this.#remove(before?.value, kept);
  }

  /** A page of ours in place of the one before. That of a newer owner stays: what it has appended is not in ours. */
  async #replace({ partition, epoch }: Lease, page: BookPage): Promise<void> {
    const key = keyOf(partition);
    const before = await this.#bucket.get(key);
    if (before && epochIn(before.value) > epoch) return;
    const kept = await this.#kept(page, epoch);
    const stored = before ? this.#bucket.update(key, kept, before.revision) : this.#bucket.create(key, kept);
    if ((await stored) !== undefined) await this.#remove(before?.value, kept);
  }

  /** What lay beside the page before. */
  async #remove(before: KeptPage | undefined, now: KeptPage): Promise<void> {
    const former = before?.ref;
    if (former && former.sha256 !== now.ref?.sha256) await this.#long.remove(former.sha256);
  }

  async #kept(page: BookPage, epoch: number): Promise<KeptPage> {
    const stream = await this.#created();
    const text = JSON.stringify(page);
    if (text.length <= SHORT) return { stream, epoch, page };
    return { stream, epoch, ref: await this.#long.put(new TextEncoder().encode(text)) };
  }

  /** The page of the owner before, which is ours from now on: that one writes no other in its place. */
  async #claimed({ partition, epoch }: Lease): Promise<BookPage | undefined> {
    for (let claim = 0; claim < CLAIMS; claim += 1) {
      const found = await this.#found(partition);
      if (!found || epochIn(found.kept) > epoch) return undefined;
      const { kept, page, revision } = found;
      if ((await this.#bucket.update(keyOf(partition), { ...kept, epoch }, revision)) !== undefined) return page;
    }
    return undefined;
  }

  /** A page that is damaged, or that is of another stream, is none. @throws ReinsError `bus_unavailable` */
  async #found(partition: number): Promise<FoundPage | undefined> {
    try {
      const { value: kept, revision } = (await this.#bucket.get(keyOf(partition))) ?? {};
      if (!kept || revision === undefined || kept.stream !== (await this.#created())) return undefined;
      const page = kept.page ?? (kept.ref && (await this.#read(kept.ref)));
      const { state } = await this.#bus.jsm.streams.info('JOURNAL');
      return page && page.seq <= state.last_seq ? { kept, page, revision } : undefined;
    } catch (error) {
      if (isReinsError(error) && isRetryable(error.code)) throw error;
      this.#log.warn(
        { err: error, partition },
        'what the owner before knew cannot be read; every journal is looked at',
      );
      return undefined;
    }
  }

  async #read(ref: BlobRef): Promise<BookPage> {
    return JSON.parse(new TextDecoder().decode(await this.#long.get(ref))) as BookPage;
  }

  async #created(): Promise<string> {
    return String((await this.#bus.jsm.streams.info('JOURNAL')).created);
  }
}
