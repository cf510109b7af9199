import { headers as newHeaders } from '@nats-io/nats-core';
import type { Bus } from '../connection/bus.ts';
import { HEADER } from '../publish/headers.ts';
import { publishWithAck } from '../publish/publish-with-ack.ts';
import { lastMessageOn } from '../read/last-message-on.ts';
import { type ObjectStoreName, objectStoreStream } from '../topology/names.ts';

/** What the clients of NATS put into one chunk. */
export const CHUNK_BYTES = 128 * 1024;

/** What a store says of an object, as far as we need it. */
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
 * Puts bytes of at most one chunk under their hash, in one round trip. Their chunk lies under the hash, too: two who store the same at
 * the same time store one chunk, and whoever reads needs no look at the object first.
 * @returns false when something stands under the name already: the object itself, or the mark of one that was removed
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
  // A conflict on the chunk means that the same bytes lie there.
  if (chunk.status === 'rejected') throw chunk.reason;
  if (head.status === 'rejected') throw head.reason;
  return head.value !== undefined;
}

/** The chunk that lies under a hash; undefined where the object was not put by `putSmall`. Not verified. */
export async function readSmall(bus: Bus, store: ObjectStoreName, sha256: string): Promise<Uint8Array | undefined> {
  return (await lastMessageOn(bus, objectStoreStream(store), chunkSubject(store, sha256)))?.data;
}
