import type { BlobPort } from './blob-port.ts';

/** Stores blobs in memory, for tests and for trees that are needed only within the process. */
export class MemoryBlobs implements BlobPort {
  readonly #blobs = new Map<string, Uint8Array>();

  async has(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(keys.filter((key) => this.#blobs.has(key)));
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const bytes = this.#blobs.get(key);
    return bytes && Uint8Array.from(bytes);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.#blobs.set(key, Uint8Array.from(bytes));
  }
}
