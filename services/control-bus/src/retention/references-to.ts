import { Blobs, type Bus, readSubject, StoredObjects } from '@reins/bus';
import { REFERRING_STREAMS, textsIn } from './bus-blob-ports.ts';

/** Something that refers to a blob. */
export interface Reference {
  /** The stream or object store. */
  readonly in: string;
  /** The subject of the message, or the name of the object. */
  readonly name: string;
  readonly time: Date;
}

/** Messages per request. */
const BATCH = 128;

/** Finds everything that refers to a blob: messages of all streams, and objects. Reads all of them. */
export async function* referencesTo(bus: Bus, sha256: string): AsyncGenerator<Reference> {
  for (const stream of REFERRING_STREAMS)
    for await (const { subject, data, time } of readSubject(bus, stream, '>', { batch: BATCH }))
      if (Buffer.from(data).includes(sha256)) yield { in: stream, name: subject, time };
  const blobs = await Blobs.open(bus);
  for await (const { name, deleted, storedAt } of new StoredObjects(bus, 'blobs').list()) {
    if (deleted || name === sha256) continue;
    const isLayout = name === `${sha256}.layout`;
    if (!isLayout && (await includes(blobs, name, sha256))) yield { in: 'blobs', name, time: storedAt };
  }
  const archive = await Blobs.open(bus, 'archive');
  for await (const { name, deleted, storedAt } of new StoredObjects(bus, 'archive').list()) {
    if (deleted || name === sha256) continue;
    const bytes = await archive.get(name).catch(() => new Uint8Array());
    if ([...textsIn(bytes)].some((text) => Buffer.from(text).includes(sha256)))
      yield { in: 'archive', name, time: storedAt };
  }
}

/** The name of some objects is not the hash of their content, such as that of a layout. They refer to no blob alone. */
async function includes(blobs: Blobs, name: string, sha256: string): Promise<boolean> {
  const bytes = await blobs.get(name).catch(() => undefined);
  return bytes !== undefined && Buffer.from(bytes).includes(sha256);
}
