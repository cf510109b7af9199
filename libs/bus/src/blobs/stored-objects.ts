import type { Bus } from '../connection/bus.ts';
import { readSubject } from '../read/read-subject.ts';
import type { StoredMessage } from '../read/stored-message.ts';
import { type ObjectStoreName, objectStoreStream } from '../topology/names.ts';
import { markRemoved, metaOf, metaSubject, type ObjectMeta } from './small-object.ts';

/** Messages per request. A chunk has up to 128 KiB. */
const BATCH = 64;

/** A chunk of an object, as stored. */
export interface StoredChunk {
  /** Names the object's upload. A chunk of a small object has the name of the object. */
  readonly nuid: string;
  readonly message: StoredMessage;
}

/** The objects of a store as its stream has them: what a sweep of unused objects reads and removes. */
export class StoredObjects {
  readonly #bus: Bus;
  readonly #store: ObjectStoreName;
  readonly #stream: string;

  constructor(bus: Bus, store: ObjectStoreName) {
    this.#bus = bus;
    this.#store = store;
    this.#stream = objectStoreStream(store);
  }

  /** The metadata of all objects, removed ones included. */
  async *list(): AsyncGenerator<ObjectMeta> {
    for await (const message of readSubject(this.#bus, this.#stream, `$O.${this.#store}.M.>`)) yield metaOf(message);
  }

  /** All chunks after a sequence, oldest first. */
  async *chunks(after = 0): AsyncGenerator<StoredChunk> {
    const chunks = { fromSeq: after + 1, batch: BATCH };
    for await (const message of readSubject(this.#bus, this.#stream, `$O.${this.#store}.C.>`, chunks))
      yield { nuid: message.subject.slice(`$O.${this.#store}.C.`.length), message };
  }

  /**
   * Removes an object, unless it was stored or renewed after it was read. A small object leaves a tombstone: a writer of
   * the same bytes would take its chunk for stored. `removeTombstone` removes that later.
   * @returns whether it was removed
   */
  async remove({ name, nuid, revision }: Pick<ObjectMeta, 'name' | 'nuid' | 'revision'>): Promise<boolean> {
    const isRemoved =
      nuid === name
        ? await markRemoved(this.#bus, this.#store, name, revision)
        : await this.#purge(metaSubject(this.#store, name), revision);
    if (isRemoved) await this.#purge(`$O.${this.#store}.C.${nuid}`);
    return isRemoved;
  }

  /** Removes the tombstone of an object, unless the object was stored again. */
  removeTombstone({ name, revision }: Pick<ObjectMeta, 'name' | 'revision'>): Promise<boolean> {
    return this.#purge(metaSubject(this.#store, name), revision);
  }

  /** Removes chunks that belong to no object: their upload was interrupted. @returns whether they were removed */
  async removeOrphan(nuid: string): Promise<boolean> {
    // A writer of a small object may use its chunk.
    if (isSmallName(nuid) && !(await markRemoved(this.#bus, this.#store, nuid, 0))) return false;
    return this.#purge(`$O.${this.#store}.C.${nuid}`);
  }

  /** @param upTo the last sequence that is removed; default: all */
  async #purge(filter: string, upTo?: number): Promise<boolean> {
    const which = upTo === undefined ? { filter } : { filter, seq: upTo + 1 };
    return (await this.#bus.jsm.streams.purge(this.#stream, which)).purged > 0;
  }
}

const isSmallName = (nuid: string): boolean => /^[0-9a-f]{64}$/.test(nuid);
