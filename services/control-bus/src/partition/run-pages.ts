import type { Blobs, Lease, TypedBucket } from '@reins/bus';
import { type BlobRef, isReinsError, isRetryable } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { BookPage } from './run-book.ts';

/** A page as it is kept. A long one lies beside it. */
export interface KeptPage {
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

/** What pages need of the world. */
export interface RunPagesOptions {
  readonly bucket: Pick<TypedBucket<KeptPage>, 'get' | 'put' | 'create' | 'update'>;
  /** Where long pages lie. */
  readonly long: Pick<Blobs, 'get' | 'put' | 'remove'>;
  /** The journal stream: when it was made, and its last sequence. */
  readonly stream: () => Promise<{ readonly created: string; readonly lastSeq: number }>;
  readonly log: Pick<Logger, 'warn'>;
}

/** A page of at most this many characters is kept where it is named. */
const SHORT = 64 * 1024;
/** So often a page is taken over while somebody else writes it; then every journal is looked at. */
const CLAIMS = 3;

/** Of a page that says nothing of it, the least. */
const epochIn = ({ epoch = 0 }: KeptPage): number => epoch;

/** The page of a partition is kept under this name. */
export const pageKeyOf = (partition: number): string => `runs.${partition}`;

/** The pages that owners of partitions leave to the next ones. */
export class RunPages {
  readonly #options: RunPagesOptions;

  constructor(options: RunPagesOptions) {
    this.#options = options;
  }

  /** The page of the owner before, which is ours from now on: that one writes no other in its place. */
  async claim({ partition, epoch }: Lease): Promise<BookPage | undefined> {
    for (let claim = 0; claim < CLAIMS; claim += 1) {
      const found = await this.#found(partition);
      if (!found || epochIn(found.kept) > epoch) return undefined;
      const { kept, page, revision } = found;
      if (epochIn(kept) === epoch) return page; // we took it, and the answer was lost
      const taken = await this.#options.bucket.update(pageKeyOf(partition), { ...kept, epoch }, revision);
      if (taken !== undefined) return page;
    }
    return undefined;
  }

  /** The first page of an owner that looked at every journal, whatever is there. */
  async put({ partition, epoch }: Lease, page: BookPage): Promise<void> {
    const { bucket } = this.#options;
    const before = await bucket.get(pageKeyOf(partition)).catch(() => undefined);
    const kept = await this.#kept(page, epoch);
    await bucket.put(pageKeyOf(partition), kept);
    await this.#remove(before?.value, kept);
  }

  /** A page of ours in place of the one before. That of a newer owner stays: what it has appended is not in ours. */
  async replace({ partition, epoch }: Lease, page: BookPage): Promise<void> {
    const { bucket } = this.#options;
    const key = pageKeyOf(partition);
    const before = await bucket.get(key);
    if (before && epochIn(before.value) > epoch) return;
    const kept = await this.#kept(page, epoch);
    const stored = before ? bucket.update(key, kept, before.revision) : bucket.create(key, kept);
    if ((await stored) !== undefined) await this.#remove(before?.value, kept);
  }

  /** What lay beside the page before. */
  async #remove(before: KeptPage | undefined, now: KeptPage): Promise<void> {
    const former = before?.ref;
    if (former && former.sha256 !== now.ref?.sha256) await this.#options.long.remove(former.sha256);
  }

  async #kept(page: BookPage, epoch: number): Promise<KeptPage> {
    const { long, stream } = this.#options;
    const { created } = await stream();
    const text = JSON.stringify(page);
    if (text.length <= SHORT) return { stream: created, epoch, page };
    return { stream: created, epoch, ref: await long.put(new TextEncoder().encode(text)) };
  }

  /** A page that is damaged, or that is of another stream, is none. @throws ReinsError `bus_unavailable` */
  async #found(partition: number): Promise<FoundPage | undefined> {
    const { bucket, log, stream } = this.#options;
    try {
      const { value: kept, revision } = (await bucket.get(pageKeyOf(partition))) ?? {};
      if (!kept || revision === undefined) return undefined;
      const { created, lastSeq } = await stream();
      if (kept.stream !== created) return undefined;
      const page = kept.page ?? (kept.ref && (await this.#read(kept.ref)));
      return page && page.seq <= lastSeq ? { kept, page, revision } : undefined;
    } catch (error) {
      if (isReinsError(error) && isRetryable(error.code)) throw error;
      log.warn({ err: error, partition }, 'what the owner before knew cannot be read; every journal is looked at');
      return undefined;
    }
  }

  async #read(ref: BlobRef): Promise<BookPage> {
    return JSON.parse(new TextDecoder().decode(await this.#options.long.get(ref))) as BookPage;
  }
}
