import { headers as newHeaders } from '@nats-io/nats-core';
import type { Bus } from '../connection/bus.ts';
import { HEADER } from '../publish/headers.ts';
import { publishWithAck } from '../publish/publish-with-ack.ts';
import { lastMessageOn } from '../read/last-message-on.ts';
import type { StoredMessage } from '../read/stored-message.ts';
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
  readonly size: number;
  /** When this metadata was stored. */
  readonly storedAt: Date;
}

/** An object that is used again is renewed when its metadata is older than this. */
const RENEW_AFTER_MS = 30_000;

const encoder = new TextEncoder();
/** The subject of the metadata of an object. */
export const metaSubject = (store: ObjectStoreName, name: string): string =>
  `$O.${store}.M.${Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`;
const chunkSubject = (store: ObjectStoreName, nuid: string): string => `$O.${store}.C.${nuid}`;

/** @throws ReinsError `bus_unavailable` */
export async function readObjectMeta(bus: Bus, store: ObjectStoreName, name: string): Promise<ObjectMeta | undefined> {
  const last = await lastMessageOn(bus, objectStoreStream(store), metaSubject(store, name));
  return last && metaOf(last);
}

/** The metadata in a message. */
export function metaOf({ data, seq, time }: Pick<StoredMessage, 'data' | 'seq' | 'time'>): ObjectMeta {
  const { name, nuid, chunks, deleted, size } = JSON.parse(Buffer.from(data).toString()) as Omit<
    ObjectMeta,
    'revision'
  >;
  return { name, nuid, chunks, size, deleted: deleted === true, revision: seq, storedAt: time };
}

/**
 * Makes an object that exists as recent as one that was stored now. A sweep of unused objects removes none that was
 * stored or renewed since its last search. So renew an existing object before you refer to it.
 * @returns false when the object was removed, or replaced, meanwhile
 */
export async function renewObject(bus: Bus, store: ObjectStoreName, found: ObjectMeta): Promise<boolean> {
  // In both directions: the clock of this process may be wrong.
  if (Math.abs(Date.now() - found.storedAt.getTime()) < RENEW_AFTER_MS) return true;
  const last = await lastMessageOn(bus, objectStoreStream(store), metaSubject(store, found.name));
  if (!last || metaOf(last).deleted) return false;
  if (last.seq !== found.revision) return true;
  if (await replaceMeta(bus, store, found.name, { data: last.data, revision: last.seq })) return true;
  const after = await readObjectMeta(bus, store, found.name);
  return after !== undefined && !after.deleted;
}

/**
 * Replaces the metadata of an object by that of a removed one, by compare-and-set.
 * @param revision 0 when the object has no metadata
 */
export function markRemoved(bus: Bus, store: ObjectStoreName, name: string, revision: number): Promise<boolean> {
  const meta = { name, bucket: store, nuid: name, size: 0, chunks: 0, mtime: new Date().toISOString(), deleted: true };
  return replaceMeta(bus, store, name, { data: encoder.encode(JSON.stringify(meta)), revision });
}

/** @returns false when the metadata has another revision */
async function replaceMeta(
  bus: Bus,
  store: ObjectStoreName,
  name: string,
  { data, revision }: { readonly data: Uint8Array; readonly revision: number },
): Promise<boolean> {
  const headers = newHeaders();
  headers.set(HEADER.expectedLastSubjectSeq, String(revision));
  headers.set('Nats-Rollup', 'sub');
  return (await publishWithAck(bus, metaSubject(store, name), data, headers)) !== undefined;
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
