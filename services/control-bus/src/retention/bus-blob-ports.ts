import { gunzipSync } from 'node:zlib';
import {
  Blobs,
  BUCKET_NAMES,
  type Bus,
  bucketStream,
  openBucket,
  readSubject,
  STREAM_NAMES,
  StoredObjects,
} from '@reins/bus';
import { parseJson } from '@reins/contracts';
import { journalTextsIn } from '@reins/journal';
import type { Clock } from '../partition/clock.ts';
import type { BlobSweepPorts, BlobSweepState, StoreFindings } from './blob-sweep.ts';
import type { Content } from './unused-blobs.ts';

/** The KV key of the progress of the blob sweeps. */
const STATE_KEY = 'retention.blobs';
/** The object stores that are swept, in the order of the results. */
export const SWEPT_STORES = ['blobs', 'archive'] as const;
const ARCHIVE = SWEPT_STORES.indexOf('archive');
/** Streams whose messages may refer to blobs: all but the hashed API keys. */
export const REFERRING_STREAMS: readonly string[] = [
  ...STREAM_NAMES,
  ...BUCKET_NAMES.filter((name) => name !== 'keys').map(bucketStream),
];
/** Messages per request. Each has up to a megabyte. */
const BATCH = 128;
/** The chunk size of the NATS clients. */
const CHUNK_BYTES = 128 * 1024;
/** No upload takes longer. */
const UPLOAD_MS = 3_600_000;

export interface BusBlobOptions {
  readonly bus: Bus;
  readonly clock: Pick<Clock, 'now'>;
  readonly isStopped: () => boolean;
}

/** The ports of a blob sweep over the bus. */
export async function busBlobPorts({ bus, clock, isStopped }: BusBlobOptions): Promise<BlobSweepPorts> {
  const states = await openBucket<BlobSweepState>(bus, 'positions');
  const archive = await Blobs.open(bus, 'archive');
  const stores = SWEPT_STORES.map((name) => new StoredObjects(bus, name));
  const read = new Map<string, number>();

  async function* messages(stream: string): AsyncGenerator<Content> {
    const fromSeq = (read.get(stream) ?? 0) + 1;
    for await (const { data, seq } of readSubject(bus, stream, '>', { fromSeq, batch: BATCH })) {
      read.set(stream, seq);
      yield { bytes: data };
    }
  }

  async function* chunks(store: number): AsyncGenerator<Content> {
    const oldBefore = clock.now().getTime() - UPLOAD_MS;
    const key = `chunks of ${store}`;
    for await (const { nuid, message } of stores[store]?.chunks(read.get(key)) ?? []) {
      const { data, seq, time } = message;
      read.set(key, seq);
      yield {
        bytes: data,
        chunk: { store, nuid, isFull: data.length >= CHUNK_BYTES, isOld: time.getTime() < oldBefore },
      };
    }
  }

  /** What the archive stores is compressed. */
  async function* archived(): AsyncGenerator<Content> {
    const after = read.get('archived') ?? 0;
    for await (const { name, revision, deleted } of stores[ARCHIVE]?.list() ?? []) {
      if (deleted || revision <= after) continue;
      read.set('archived', Math.max(revision, read.get('archived') ?? 0));
      const bytes = await archive.get(name).catch(() => undefined);
      if (bytes) for (const text of textsIn(bytes)) yield { bytes: text };
    }
  }

  return {
    clock,
    stores,
    isStopped,
    async *contents() {
      for (const stream of REFERRING_STREAMS) yield* messages(stream);
      for (const store of stores.keys()) yield* chunks(store);
      yield* archived();
    },
    state: async () => (await states.get(STATE_KEY))?.value,
    saveState: async (state) => void (await states.put(STATE_KEY, state)),
    loadFindings: async (ref) => {
      const text = new TextDecoder().decode(await archive.get(ref));
      return parseJson(Buffer.from(text, 'base64')) as unknown as readonly StoreFindings[];
    },
    // As base64: the hashes in it must not count as references.
    saveFindings: (findings) =>
      archive.put(new TextEncoder().encode(Buffer.from(JSON.stringify(findings)).toString('base64'))),
  };
}

/** The texts in an object of the archive: the journals of a pack, the commits of a checkpoint, or the object itself. */
export function* textsIn(bytes: Uint8Array): Generator<Uint8Array> {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  yield isCompressed ? gunzipSync(bytes) : bytes;
  yield* journalTextsIn(bytes);
}
