import { type ObjectStore, Objm } from '@nats-io/obj';
import type { Bus } from '../connection/bus.ts';

const LOOK_UPS_AT_ONCE = 32;

/** Bytes in the `blobs` store under keys that their owner chooses and verifies: what trees are kept in. */
export class KeyedBlobs {
  readonly #store: ObjectStore;

  private constructor(store: ObjectStore) {
    this.#store = store;
  }

  static async open(bus: Bus): Promise<KeyedBlobs> {
    return new KeyedBlobs(await new Objm(bus.js).open('blobs'));
  }

  /** Those of the keys that are there. */
  async has(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const present = new Set<string>();
    for (let from = 0; from < keys.length; from += LOOK_UPS_AT_ONCE) {
      const batch = keys.slice(from, from + LOOK_UPS_AT_ONCE);
      const infos = await Promise.all(batch.map((key) => this.#store.info(key)));
      for (const [index, info] of infos.entries()) if (info && !info.deleted) present.add(batch[index] as string);
    }
    return present;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return (await this.#store.getBlob(key)) ?? undefined;
  }

  /** Replaces what is under the key. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#store.putBlob({ name: key }, bytes);
  }
}
