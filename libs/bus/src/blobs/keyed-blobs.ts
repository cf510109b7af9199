import { type ObjectStore, Objm } from '@nats-io/obj';
import type { Bus } from '../connection/bus.ts';
import { readObject } from './read-object.ts';
import { readObjectMeta } from './small-object.ts';

const STORE = 'blobs';

const LOOK_UPS_AT_ONCE = 32;

/** Bytes in the `blobs` store under keys that their owner chooses and verifies: what trees are kept in. */
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

  /** Those of the keys that are there. */
  async has(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const present = new Set<string>();
    for (let from = 0; from < keys.length; from += LOOK_UPS_AT_ONCE) {
      const batch = keys.slice(from, from + LOOK_UPS_AT_ONCE);
      const infos = await Promise.all(batch.map((key) => readObjectMeta(this.#bus, STORE, key)));
      for (const [index, info] of infos.entries()) if (info && !info.deleted) present.add(batch[index] as string);
    }
    return present;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const info = await readObjectMeta(this.#bus, STORE, key);
    if (!info || info.deleted) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of readObject(this.#bus, STORE, info)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Replaces what is under the key. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#store.putBlob({ name: key }, bytes);
  }
}
