import { createHash } from 'node:crypto';
import { type ObjectStore, Objm } from '@nats-io/obj';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import type { ObjectStoreName } from '../topology/names.ts';

export interface BlobRef {
  readonly sha256: string;
  readonly size: number;
}

export type Bytes = Uint8Array<ArrayBuffer>;

const SHA256 = /^[0-9a-f]{64}$/;

/** Bytes by their hash. What is there is never uploaded again, and never changes. */
export class Blobs {
  readonly #store: ObjectStore;

  private constructor(store: ObjectStore) {
    this.#store = store;
  }

  static async open(bus: Bus, store: ObjectStoreName = 'blobs'): Promise<Blobs> {
    return new Blobs(await new Objm(bus.js).open(store));
  }

  /** Uploads nothing when it is there already. */
  async put(bytes: Uint8Array): Promise<BlobRef> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const ref = { sha256, size: bytes.length };
    if (await this.has(sha256)) return ref;
    await this.#store.put({ name: sha256 }, streamOf([bytes]));
    return ref;
  }

  /** For what does not fit into memory: the source is read twice, first for its hash. */
  async putStream(open: () => AsyncIterable<Uint8Array>): Promise<BlobRef> {
    const ref = await hashOf(open());
    if (await this.has(ref.sha256)) return ref;
    const verified = verify(open(), ref.sha256);
    await this.#store.put({ name: ref.sha256 }, ReadableStream.from(verified) as ReadableStream<Uint8Array>);
    return ref;
  }

  async has(sha256: string): Promise<boolean> {
    const info = await this.#store.info(assertHash(sha256));
    return info !== null && !info.deleted;
  }

  /** Verified by its hash. @throws ReinsError `blob_not_found`, `blob_corrupt` */
  async get(ref: string | BlobRef): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.stream(ref)) chunks.push(chunk);
    return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
  }

  /** Verified at its end: the last chunk comes only when the hash is right. @throws ReinsError `blob_not_found`, `blob_corrupt` */
  async *stream(ref: string | BlobRef): AsyncGenerator<Uint8Array> {
    const sha256 = assertHash(typeof ref === 'string' ? ref : ref.sha256);
    const found = await this.#store.get(sha256);
    if (!found) throw notFound(sha256);
    // The client checks its own digest, too; the hash in the name is the one that counts.
    void found.error.catch(() => {});
    yield* verify(found.data, sha256);
  }

  async remove(sha256: string): Promise<boolean> {
    return (await this.#store.delete(assertHash(sha256))).success;
  }

  async *list(): AsyncGenerator<BlobRef & { readonly modified: Date }> {
    for (const info of await this.#store.list()) {
      if (!info.deleted) yield { sha256: info.name, size: info.size, modified: new Date(info.mtime) };
    }
  }
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

async function* streamChunks(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const streamOf = (chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  ReadableStream.from(streamChunks(chunks)) as ReadableStream<Uint8Array>;

function assertHash(sha256: string): string {
  if (SHA256.test(sha256)) return sha256;
  throw notFound(sha256.slice(0, 80));
}

const notFound = (sha256: string): ReinsError =>
  new ReinsError({ code: 'blob_not_found', message: 'there is no blob with this hash', path: sha256 });
