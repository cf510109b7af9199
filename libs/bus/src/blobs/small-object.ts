import { headers as newHeaders } from '@nats-io/nats-core';
import type { Bus } from '../connection/bus.ts';
import { HEADER } from '../publish/headers.ts';
import { publishWithAck } from '../publish/publish-with-ack.ts';
import { lastMessageOn } from '../read/last-message-on.ts';
import { type ObjectStoreName, objectStoreStream } from '../topology/names.ts';

/** Chunk size of the NATS clients. */
export const CHUNK_BYTES = 128 * 1024;

/** The object metadata that this package reads. */
export interface ObjectMeta {
  readonly name: string;
  readonly nuid: string;
  readonly chunks: number;
  readonly deleted: boolean;
  readonly revision: number;
}

const encoder = new TextEncoder();
const metaSubject = (store: ObjectStoreName, name: string): string =>
  `$O.${store}.M.${Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`;
const chunkSubject = (store: ObjectStoreName, nuid: string): string => `$O.${store}.C.${nuid}`;

/** @throws ReinsError `bus_unavailable` */
export async function readObjectMeta(bus: Bus, store: ObjectStoreName, name: string): Promise<ObjectMeta | undefined> {
  const last = await lastMessageOn(bus, objectStoreStream(store), metaSubject(store, name));
  if (!last) return undefined;
  const { nuid, chunks, deleted } = JSON.parse(Buffer.from(last.data).toString()) as Omit<ObjectMeta, 'revision'>;
  return { name, nuid, chunks, deleted: deleted === true, revision: last.seq };
}

/**
 * Stores an object of at most one chunk under its hash, in one round trip. The chunk subject contains the hash as well.
 * Concurrent writers of the same bytes therefore store one chunk, and a reader needs no metadata lookup.
 * @returns false when the name is taken, by the object itself or by the tombstone of a removed object
 */
export async function putSmall(bus: Bus, store: ObjectStoreName, sha256: string, bytes: Uint8Array): Promise<boolean> {
  const meta = {
    name: sha256,
    bucket: store,
    nuid: sha256,
    size: bytes.length,
    chunks: 1,
    options: { max_chunk_size: CHUNK_BYTES },
    mtime: new Date().toISOString(),
    digest: `SHA-256=${Buffer.from(sha256, 'hex').toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`,
    deleted: false,
  };
  const first = newHeaders();
  first.set(HEADER.expectedLastSubjectSeq, '0');
  const rollup = newHeaders();
  rollup.set(HEADER.expectedLastSubjectSeq, '0');
  rollup.set('Nats-Rollup', 'sub');
  const [chunk, head] = await Promise.allSettled([
    publishWithAck(bus, chunkSubject(store, sha256), bytes, first),
    publishWithAck(bus, metaSubject(store, sha256), encoder.encode(JSON.stringify(meta)), rollup),
  ]);
  // A conflict on the chunk means that the same bytes are already stored.
  if (chunk.status === 'rejected') throw chunk.reason;
  if (head.status === 'rejected') throw head.reason;
  return head.value !== undefined;
}

/** Reads the chunk stored under a hash, unverified. Returns undefined when the object was not stored by `putSmall`. */
export async function readSmall(bus: Bus, store: ObjectStoreName, sha256: string): Promise<Uint8Array | undefined> {
  return (await lastMessageOn(bus, objectStoreStream(store), chunkSubject(store, sha256)))?.data;
}
