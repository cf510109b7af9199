import { type ObjectStore, Objm } from '@nats-io/obj';
import type { Bus } from '../connection/bus.ts';
import { readObject } from './read-object.ts';
import { readObjectMeta, renewObject } from './small-object.ts';

const STORE = 'blobs';

const CONCURRENT_LOOKUPS = 32;

/** Objects in the `blobs` store under keys that the caller chooses and verifies. Workspace trees are stored here. */
export class KeyedBlobs {
  readonly #bus: Bus;
  readonly #store: ObjectStore;

  private constructor(bus: Bus, store: ObjectStore) {
    this.#bus = bus;
    this.#store = store;
  }

  static async open(bus: Bus): Promise<KeyedBlobs> {
    return new KeyedBlobs(bus, await new Objm(bus.js).open(STORE));
  }

  /** Returns the keys that exist. The caller may refer to them from now on. */
  async has(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const present = new Set<string>();
    for (let from = 0; from < keys.length; from += CONCURRENT_LOOKUPS) {
      const batch = keys.slice(from, from + CONCURRENT_LOOKUPS);
      const found = await Promise.all(batch.map((key) => this.#exists(key)));
      for (const [index, exists] of found.entries()) if (exists) present.add(batch[index] as string);
    }
    return present;
  }

  async #exists(key: string): Promise<boolean> {
    const found = await readObjectMeta(this.#bus, STORE, key);
    return found !== undefined && !found.deleted && renewObject(this.#bus, STORE, found);
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const info = await readObjectMeta(this.#bus, STORE, key);
    if (!info || info.deleted) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of readObject(this.#bus, STORE, info)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Replaces any object with this key. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#store.putBlob({ name: key }, bytes);
  }
}
