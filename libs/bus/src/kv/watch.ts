import { DeliverPolicy } from '@nats-io/jetstream';
import type { Bus } from '../connection/bus.ts';
import { BusMessage } from '../consume/message.ts';
import { EphemeralReader } from '../read/ephemeral-reader.ts';
import { type BucketName, bucketStream } from '../topology/names.ts';
import { type Entry, isTombstone } from './entry.ts';

export interface WatchOptions {
  /** Key filter with `*` and `>` as in subjects; by default all keys. */
  readonly filter?: string;
  /** Ends after the current values. */
  readonly once?: boolean;
}

/** `undefined` means removed or expired. */
export type BucketListener<T> = (key: string, entry: Entry<T> | undefined) => void;

export interface Watch {
  /** Resolves when all initial values have been reported. */
  readonly current: Promise<void>;
  stop(): void;
}

const PREFETCH = 500;

/**
 * Reports every value and every change to the listener. After a lost connection it reads everything again and reports
 * missing keys as removed: deletion markers do not last long enough to rely on them.
 */
export async function watchBucket<T>(
  bus: Bus,
  bucket: BucketName,
  options: WatchOptions,
  listener: BucketListener<T>,
): Promise<Watch> {
  const prefix = `$KV.${bucket}.`;
  const known = new Map<string, number>();
  const { promise: current, resolve } = Promise.withResolvers<void>();
  /** Keys known before a resynchronisation that it has not reported yet. */
  let unseen = new Set<string>();
  let remaining = 0;

  const synchronised = (): void => {
    for (const key of unseen) if (known.delete(key)) listener(key, undefined);
    unseen.clear();
    resolve();
    if (options.once) void reader?.stop();
  };

  let reader: EphemeralReader | undefined;
  reader = await EphemeralReader.start(bus, {
    stream: bucketStream(bucket),
    filters: [prefix + (options.filter ?? '>')],
    prefetch: PREFETCH,
    startAt: () => ({ deliver_policy: DeliverPolicy.LastPerSubject }),
    onStart: (pending) => {
      unseen = new Set(known.keys());
      remaining = pending;
      if (pending === 0) queueMicrotask(synchronised);
    },
    onMessage: (raw, delivery) => {
      const message = new BusMessage(raw, delivery, NEVER);
      const key = message.subject.slice(prefix.length);
      unseen.delete(key);
      if (isTombstone(message)) {
        if (known.delete(key)) listener(key, undefined);
      } else if (known.get(key) !== message.seq) {
        known.set(key, message.seq);
        listener(key, { key, value: message.json() as T, revision: message.seq });
      }
      if (remaining > 0 && --remaining === 0) synchronised();
    },
  });
  return { current, stop: () => void reader.stop() };
}

const NEVER = new AbortController().signal;
