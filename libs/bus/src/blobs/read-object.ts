import type { ObjectInfo } from '@nats-io/obj';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { lastMessageOn } from '../read/last-message-on.ts';
import { readSubject } from '../read/read-subject.ts';
import { type ObjectStoreName, objectStoreStream } from '../topology/names.ts';

/** Chunks per request. */
const BATCH = 16;

/**
 * Reads the chunks of an object directly from its stream. The client's own download creates a consumer for each object,
 * which the server keeps for minutes; a busy system would reach the consumer limit.
 * @throws ReinsError `bus_unavailable` when chunks are missing because the object was removed during the read
 */
export async function* readObject(
  bus: Bus,
  store: ObjectStoreName,
  { name, nuid, chunks }: Pick<ObjectInfo, 'name' | 'nuid' | 'chunks'>,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const { data } of messagesOf(bus, objectStoreStream(store), `$O.${store}.C.${nuid}`, chunks)) {
    yield data;
    read += 1;
  }
  if (read >= chunks) return;
  const message = `object has ${read} of ${chunks} chunks`;
  throw new ReinsError({ code: 'bus_unavailable', message, path: name });
}

/** Most objects have one chunk: the last message on its subject. */
async function* messagesOf(bus: Bus, stream: string, subject: string, chunks: number) {
  if (chunks > 1) return yield* readSubject(bus, stream, subject, { batch: BATCH });
  const only = chunks === 1 ? await lastMessageOn(bus, stream, subject) : undefined;
  if (only) yield only;
}
