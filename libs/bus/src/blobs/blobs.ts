import { createHash } from 'node:crypto';
import { type ObjectStore, Objm } from '@nats-io/obj';
import { ReinsError } from '@reins/contracts';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';
import { whileConnected } from '../connection/while-connected.ts';
import type { ObjectStoreName } from '../topology/names.ts';
import { readObject } from './read-object.ts';
import { CHUNK_BYTES, type ObjectMeta, putSmall, readObjectMeta, readSmall, renewObject } from './small-object.ts';

export interface BlobRef {
  readonly sha256: string;
  readonly size: number;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Content-addressed blobs in an object store. A stored blob is never uploaded again and never changes. */
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

  /**
   * Stores the bytes unless the store already has them.
   * @param options.isNew the caller expects the blob to be new: it is uploaded without a lookup first, which is slower only
   * when the expectation is wrong
   */
  async put(bytes: Uint8Array, options: { readonly isNew?: boolean } = {}): Promise<BlobRef> {
    const sha256 = sha256Of(bytes);
    const ref = { sha256, size: bytes.length };
    const small = bytes.length > 0 && bytes.length <= CHUNK_BYTES;
    if (small && options.isNew && (await this.#putSmall(sha256, bytes))) return ref;
    const found = await this.#readMeta(sha256);
    if (found && (await this.#renew(found))) return ref;
    if (small && !found && (await this.#putSmall(sha256, bytes))) return ref;
    await this.#store(sha256, () => chunksOf(bytes));
    return ref;
  }

  #putSmall(sha256: string, bytes: Uint8Array): Promise<boolean> {
    return putSmall(this.#bus, this.#name, sha256, bytes);
  }

  /**
   * Stores a stream that does not fit into memory. Opens the source twice: first to compute the hash, then to upload.
   */
  async putStream(open: () => AsyncIterable<Uint8Array>): Promise<BlobRef> {
    const ref = await hashOf(open());
    await this.#store(ref.sha256, () => verify(open(), ref.sha256));
    return ref;
  }

  /** Whether the blob exists. The caller may refer to it from now on. */
  async has(sha256: string): Promise<boolean> {
    const found = await this.#readMeta(assertHash(sha256));
    return found !== undefined && this.#renew(found);
  }

  /**
   * Reads a blob and verifies its hash.
   * @throws ReinsError `blob_not_found`, `blob_corrupt`
   */
  async get(ref: string | BlobRef): Promise<Uint8Array> {
    const { sha256, size } = typeof ref === 'string' ? { sha256: ref, size: 1 } : ref;
    if (size > 0 && size <= CHUNK_BYTES) {
      const bytes = await readSmall(this.#bus, this.#name, assertHash(sha256));
      if (bytes && sha256Of(bytes) === sha256) return bytes;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.stream(ref)) chunks.push(chunk);
    return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
  }

  /**
   * Streams a blob and verifies its hash: the last chunk is yielded only when the hash matches.
   * @throws ReinsError `blob_not_found`, `blob_corrupt`
   */
  async *stream(ref: string | BlobRef): AsyncGenerator<Uint8Array> {
    const sha256 = assertHash(typeof ref === 'string' ? ref : ref.sha256);
    const found = await this.#readMeta(sha256);
    if (!found || found.deleted) throw notFound(sha256);
    yield* verify(readObject(this.#bus, this.#name, found), sha256);
  }

  async remove(sha256: string): Promise<boolean> {
    const name = assertHash(sha256);
    return (await whileConnected(this.#bus, () => this.#objects.delete(name))).success;
  }

  /**
   * Stores the object unless it exists. Concurrent writers of the same object must not replace each other's chunks,
   * which a reader may be using. The expected revision makes the server reject the second writer.
   */
  async #store(name: string, chunks: () => AsyncGenerator<Uint8Array>): Promise<void> {
    while (!(await this.#tryStore(name, chunks))) {
      // Another writer stored the object, or a sweep removed what was left of it.
    }
  }

  async #tryStore(name: string, chunks: () => AsyncGenerator<Uint8Array>): Promise<boolean> {
    const found = await this.#readMeta(name);
    if (found && (await this.#renew(found))) return true;
    const source = ReadableStream.from(chunks()) as ReadableStream<Uint8Array>;
    const options = { previousRevision: found?.revision ?? 0 };
    try {
      await whileConnected(this.#bus, () => this.#objects.put({ name }, source, options));
    } catch (error) {
      if (isApiError(error, API.wrongLastSequence, API.wrongLastSequenceUnknown)) return false;
      // The client removes its chunks when it fails. Without the permission for that, it reports this instead of the cause.
      if (!(await this.has(name))) throw error;
    }
    return true;
  }

  async #renew(found: ObjectMeta): Promise<boolean> {
    return !found.deleted && renewObject(this.#bus, this.#name, found);
  }

  #readMeta(name: string): Promise<ObjectMeta | undefined> {
    return readObjectMeta(this.#bus, this.#name, name);
  }

  async *list(): AsyncGenerator<BlobRef & { readonly modified: Date }> {
    const infos = await whileConnected(this.#bus, () => this.#objects.list());
    for (const info of infos) {
      if (!info.deleted) yield { sha256: info.name, size: info.size, modified: new Date(info.mtime) };
    }
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

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

/** Yields each chunk one step late, so that the last chunk is held back until the hash is verified. */
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
      message: 'blob content does not match its hash',
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
