import { createHash } from 'node:crypto';
import { type ObjectInfo, type ObjectStore, Objm } from '@nats-io/obj';
import { ReinsError } from '@reins/contracts';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';
import { whileConnected } from '../connection/while-connected.ts';
import type { ObjectStoreName } from '../topology/names.ts';
import { readObject } from './read-object.ts';

export interface BlobRef {
  readonly sha256: string;
  readonly size: number;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Bytes by their hash. What is there is never uploaded again, and never changes. */
export class Blobs {
  readonly #bus: Bus;
  readonly #name: ObjectStoreName;
  readonly #objects: ObjectStore;

  private constructor(bus: Bus, name: ObjectStoreName, objects: ObjectStore) {
    this.#bus = bus;
    this.#name = name;
    this.#objects = objects;
  }

  static async open(bus: Bus, store: ObjectStoreName = 'blobs'): Promise<Blobs> {
    return new Blobs(bus, store, await new Objm(bus.js).open(store));
  }

  /** Uploads nothing when it is there already. */
  async put(bytes: Uint8Array): Promise<BlobRef> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const ref = { sha256, size: bytes.length };
    await this.#store(sha256, () => chunksOf(bytes));
    return ref;
  }

  /** For what does not fit into memory: the source is read twice, first for its hash. */
  async putStream(open: () => AsyncIterable<Uint8Array>): Promise<BlobRef> {
    const ref = await hashOf(open());
    await this.#store(ref.sha256, () => verify(open(), ref.sha256));
    return ref;
  }

  async has(sha256: string): Promise<boolean> {
    const info = await this.#look(assertHash(sha256));
    return info !== null && !info.deleted;
  }

  /** Verified by its hash. @throws ReinsError `blob_not_found`, `blob_corrupt` */
  async get(ref: string | BlobRef): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.stream(ref)) chunks.push(chunk);
    return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
  }

  /**
   * Verified at its end: the last chunk comes only when the hash is right. @throws ReinsError `blob_not_found`,
   * `blob_corrupt`
   */
  async *stream(ref: string | BlobRef): AsyncGenerator<Uint8Array> {
    const sha256 = assertHash(typeof ref === 'string' ? ref : ref.sha256);
    const info = await this.#look(sha256);
    if (!info || info.deleted) throw notFound(sha256);
    yield* verify(readObject(this.#bus, this.#name, info), sha256);
  }

  async remove(sha256: string): Promise<boolean> {
    const name = assertHash(sha256);
    return (await whileConnected(this.#bus, () => this.#objects.delete(name))).success;
  }

  /**
   * Stores what is not there. Two who store the same at the same time must not replace each other's chunks, which
   * somebody may be reading: the second one is refused by the server, and finds what it wanted to store.
   */
  async #store(name: string, chunks: () => AsyncGenerator<Uint8Array>): Promise<void> {
    const info = await this.#look(name);
    if (info && !info.deleted) return;
    const source = ReadableStream.from(chunks()) as ReadableStream<Uint8Array>;
    const options = { previousRevision: info?.revision ?? 0 };
    try {
      await whileConnected(this.#bus, () => this.#objects.put({ name }, source, options));
    } catch (error) {
      if (!isApiError(error, API.wrongLastSequence, API.wrongLastSequenceUnknown)) throw error;
    }
  }

  #look(name: string): Promise<ObjectInfo | null> {
    return whileConnected(this.#bus, () => this.#objects.info(name));
  }

  async *list(): AsyncGenerator<BlobRef & { readonly modified: Date }> {
    for (const info of await this.#objects.list()) {
      if (!info.deleted) yield { sha256: info.name, size: info.size, modified: new Date(info.mtime) };
    }
  }
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function hashOf(source: AsyncIterable<Uint8Array>): Promise<BlobRef> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex'), size };
}

/** Passes chunks on, each one late by one, so that the last one waits for the verdict. */
async function* verify(source: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const chunk of source) {
    hash.update(chunk);
    if (held) yield held;
    held = chunk;
  }
  if (hash.digest('hex') !== sha256) {
    throw new ReinsError({
      code: 'blob_corrupt',
      message: 'the bytes do not have the hash of their blob',
      path: sha256,
    });
  }
  if (held) yield held;
}

function assertHash(sha256: string): string {
  if (SHA256.test(sha256)) return sha256;
  throw notFound(sha256.slice(0, 80));
}

const notFound = (sha256: string): ReinsError =>
  new ReinsError({ code: 'blob_not_found', message: 'there is no blob with this hash', path: sha256 });
