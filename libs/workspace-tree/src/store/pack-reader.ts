import { LRUCache } from 'lru-cache';
import type { BlobPort } from './blob-port.ts';
import { PACK_BYTES, type PackLocation } from './pack.ts';

/** The maximum number of cached packs. Neighbouring paths are usually in the same pack. */
const MAX_CACHED_PACKS = Math.floor((32 * 1024 * 1024) / PACK_BYTES);

/** Reads blobs from packs. Each pack is fetched once and cached. */
export class PackReader {
  readonly #blobs: BlobPort;
  readonly #packs = new LRUCache<string, Promise<Uint8Array | undefined>>({ max: MAX_CACHED_PACKS });

  constructor(blobs: BlobPort) {
    this.#blobs = blobs;
  }

  /** The bytes at a location. Undefined when the pack is missing or too short. */
  async read({ pack, offset, size }: PackLocation): Promise<Uint8Array | undefined> {
    const bytes = await this.#pack(pack);
    return bytes && offset + size <= bytes.byteLength ? bytes.subarray(offset, offset + size) : undefined;
  }

  #pack(key: string): Promise<Uint8Array | undefined> {
    const known = this.#packs.get(key);
    if (known) return known;
    const pack = this.#fetch(key);
    this.#packs.set(key, pack);
    return pack;
  }

  /** Removes a pack from the cache, because its content was wrong. The next read fetches it again. */
  forget(key: string): void {
    this.#packs.delete(key);
  }

  /** A fetch that failed or found nothing is not cached, so that the next read tries again. */
  #fetch(key: string): Promise<Uint8Array | undefined> {
    const fetched = this.#blobs.get(key);
    fetched.then(
      (bytes) => bytes ?? this.#packs.delete(key),
      () => this.#packs.delete(key),
    );
    return fetched;
  }
}
