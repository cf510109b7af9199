import type { BlobPort } from './blob-port.ts';
import { PACK_BYTES, type PackLocation } from './pack.ts';

/** How many packs are kept while a tree is read: paths near each other lie in the same ones. */
const KEPT_PACKS = Math.floor((32 * 1024 * 1024) / PACK_BYTES);

/** Reads contents out of packs, fetching each pack once as long as it is in use. */
export class PackReader {
  readonly #blobs: BlobPort;
  /** In the order of their last use. */
  readonly #packs = new Map<string, Promise<Uint8Array | undefined>>();

  constructor(blobs: BlobPort) {
    this.#blobs = blobs;
  }

  /** The bytes at a place; undefined when the pack is missing, or ends before them. */
  async read({ pack, offset, size }: PackLocation): Promise<Uint8Array | undefined> {
    const bytes = await this.#pack(pack);
    return bytes && offset + size <= bytes.byteLength ? bytes.subarray(offset, offset + size) : undefined;
  }

  #pack(key: string): Promise<Uint8Array | undefined> {
    const pack = this.#packs.get(key) ?? this.#fetch(key);
    this.#packs.delete(key);
    this.#packs.set(key, pack);
    const [oldest] = this.#packs.keys();
    if (this.#packs.size > KEPT_PACKS && oldest !== undefined) this.#packs.delete(oldest);
    return pack;
  }

  /** Fetches the pack anew at its next use: what was read from it was wrong. */
  forget(key: string): void {
    this.#packs.delete(key);
  }

  /** A fetch that failed or found nothing is not kept: the next read tries again. */
  #fetch(key: string): Promise<Uint8Array | undefined> {
    const fetched = this.#blobs.get(key);
    fetched.then(
      (bytes) => bytes ?? this.#packs.delete(key),
      () => this.#packs.delete(key),
    );
    return fetched;
  }
}
