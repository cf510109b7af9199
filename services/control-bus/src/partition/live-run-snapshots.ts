import type { Blobs, Lease, TypedBucket } from '@reins/bus';
import { type BlobRef, defined, isReinsError, isRetryable } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { LiveRunSnapshot } from './live-run-index.ts';

/** The value in the KV bucket. A snapshot that is too large for it is a blob, and `ref` names the blob. */
export interface StoredSnapshot {
  /** When the journal stream was created. A snapshot of another stream is ignored. */
  readonly stream: string;
  /** The id of the commit at the sequence of the snapshot. It differs if the journal stream was rolled back. */
  readonly commit?: string;
  /** The epoch of the owner that wrote or claimed it. */
  readonly epoch?: number;
  /** The snapshot; `page` is its stored name. */
  readonly page?: LiveRunSnapshot;
  readonly ref?: BlobRef;
}

interface FoundSnapshot {
  readonly stored: StoredSnapshot;
  readonly revision: number;
  readonly snapshot: LiveRunSnapshot;
}

export interface LiveRunSnapshotsOptions {
  readonly bucket: Pick<TypedBucket<StoredSnapshot>, 'get' | 'put' | 'create' | 'update'>;
  /** Stores large snapshots. */
  readonly blobs: Pick<Blobs, 'get' | 'put' | 'remove'>;
  /** The journal stream: when it was created, and its last sequence. */
  readonly stream: () => Promise<{ readonly created: string; readonly lastSeq: number }>;
  /** The id of the commit at a sequence of the journal stream; undefined when it was removed. */
  readonly commitAt: (seq: number) => Promise<string | undefined>;
  readonly log: Pick<Logger, 'warn'>;
}

/** A snapshot of at most this many characters is stored in the bucket itself. */
const INLINE_CHARS = 64 * 1024;
/** Attempts to claim a snapshot while another owner writes it. After that, every journal is read. */
const MAX_CLAIMS = 3;

const epochOf = ({ epoch = 0 }: StoredSnapshot): number => epoch;

/** The KV key of a partition's snapshot. */
export const snapshotKeyOf = (partition: number): string => `runs.${partition}`;

/** The snapshots of live-run indexes, one per partition. An owner writes them for the next owner. */
export class LiveRunSnapshots {
  readonly #options: LiveRunSnapshotsOptions;

  constructor(options: LiveRunSnapshotsOptions) {
    this.#options = options;
  }

  /**
   * Reads the snapshot of the previous owner and sets our epoch on it, so that the previous owner cannot replace it.
   * @returns undefined when there is none, when it cannot be read, or when a newer owner has claimed it
   */
  async claim({ partition, epoch }: Lease): Promise<LiveRunSnapshot | undefined> {
    for (let claim = 0; claim < MAX_CLAIMS; claim += 1) {
      const found = await this.#find(partition);
      if (!found || epochOf(found.stored) > epoch) return undefined;
      const { stored, snapshot, revision } = found;
      if (epochOf(stored) === epoch) return snapshot; // we claimed it before, and the response was lost
      const taken = await this.#options.bucket.update(snapshotKeyOf(partition), { ...stored, epoch }, revision);
      if (taken !== undefined) return snapshot;
    }
    return undefined;
  }

  /** Writes the first snapshot of an owner that has read every journal. It overwrites any other snapshot. */
  async put({ partition, epoch }: Lease, snapshot: LiveRunSnapshot): Promise<void> {
    const { bucket } = this.#options;
    const before = await bucket.get(snapshotKeyOf(partition)).catch(() => undefined);
    const stored = await this.#toStored(snapshot, epoch);
    await bucket.put(snapshotKeyOf(partition), stored);
    await this.#removeBlob(before?.value, stored);
  }

  /** Replaces our previous snapshot. Leaves a newer owner's snapshot alone: ours lacks what that owner appended. */
  async replace({ partition, epoch }: Lease, snapshot: LiveRunSnapshot): Promise<void> {
    const { bucket } = this.#options;
    const key = snapshotKeyOf(partition);
    const before = await bucket.get(key);
    if (before && epochOf(before.value) > epoch) return;
    const stored = await this.#toStored(snapshot, epoch);
    const written = before ? bucket.update(key, stored, before.revision) : bucket.create(key, stored);
    if ((await written) !== undefined) await this.#removeBlob(before?.value, stored);
  }

  /** Removes the blob of the previous snapshot. */
  async #removeBlob(before: StoredSnapshot | undefined, now: StoredSnapshot): Promise<void> {
    const former = before?.ref;
    if (former && former.sha256 !== now.ref?.sha256) await this.#options.blobs.remove(former.sha256);
  }

  async #toStored(snapshot: LiveRunSnapshot, epoch: number): Promise<StoredSnapshot> {
    const { blobs, commitAt, stream } = this.#options;
    const { created } = await stream();
    const about = { stream: created, epoch, ...defined({ commit: await commitAt(snapshot.seq) }) };
    const text = JSON.stringify(snapshot);
    if (text.length <= INLINE_CHARS) return { ...about, page: snapshot };
    return { ...about, ref: await blobs.put(new TextEncoder().encode(text)) };
  }

  /**
   * @returns undefined when there is no snapshot, when it is corrupted, or when it belongs to another stream, or to one
   *   that was rolled back
   * @throws ReinsError `bus_unavailable`
   */
  async #find(partition: number): Promise<FoundSnapshot | undefined> {
    const { bucket, log, stream } = this.#options;
    try {
      const { value: stored, revision } = (await bucket.get(snapshotKeyOf(partition))) ?? {};
      if (!stored || revision === undefined) return undefined;
      const { created, lastSeq } = await stream();
      if (stored.stream !== created) return undefined;
      const snapshot = stored.page ?? (stored.ref && (await this.#readBlob(stored.ref)));
      if (!snapshot || snapshot.seq > lastSeq || (await this.#isOverwritten(stored, snapshot))) return undefined;
      return { stored, snapshot, revision };
    } catch (error) {
      if (isReinsError(error) && isRetryable(error.code)) throw error;
      log.warn({ err: error, partition }, 'live-run snapshot unreadable, reading every journal');
      return undefined;
    }
  }

  /** Whether the journal stream was rolled back, and has another commit where the snapshot ends. */
  async #isOverwritten({ commit }: StoredSnapshot, { seq }: LiveRunSnapshot): Promise<boolean> {
    if (commit === undefined) return false;
    const found = await this.#options.commitAt(seq);
    return found !== undefined && found !== commit;
  }

  async #readBlob(ref: BlobRef): Promise<LiveRunSnapshot> {
    return JSON.parse(new TextDecoder().decode(await this.#options.blobs.get(ref))) as LiveRunSnapshot;
  }
}
