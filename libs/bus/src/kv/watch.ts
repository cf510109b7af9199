import { DeliverPolicy } from '@nats-io/jetstream';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { errorText } from '../consume/error-text.ts';
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
/** A watch that ended is started again after this time. */
const RESTART_MS = 1_000;

/**
 * Reports every value and every change to the listener. After a lost connection, or when the bucket was deleted and
 * created again, it reads everything again and reports missing keys as removed: deletion markers do not last long
 * enough to rely on them.
 */
export async function watchBucket<T>(
  bus: Bus,
  bucket: BucketName,
  options: WatchOptions,
  listener: BucketListener<T>,
): Promise<Watch> {
  const watch = new BucketWatch(bus, bucket, options, listener);
  await watch.start();
  return watch;
}

class BucketWatch<T> implements Watch {
  readonly #bus: Bus;
  readonly #bucket: BucketName;
  readonly #options: WatchOptions;
  readonly #listener: BucketListener<T>;
  readonly #current = Promise.withResolvers<void>();
  /** By key: which message was reported. */
  readonly #known = new Map<string, string>();
  /** Keys known before a resynchronisation that it has not reported yet. */
  #unseen = new Set<string>();
  #reader: EphemeralReader | undefined;
  #stopped = false;

  constructor(bus: Bus, bucket: BucketName, options: WatchOptions, listener: BucketListener<T>) {
    this.#bus = bus;
    this.#bucket = bucket;
    this.#options = options;
    this.#listener = listener;
    this.#current.promise.catch(() => {});
  }

  get current(): Promise<void> {
    return this.#current.promise;
  }

  async start(): Promise<void> {
    const reader = await EphemeralReader.start(this.#bus, {
      stream: bucketStream(this.#bucket),
      filters: [this.#prefix + (this.#options.filter ?? '>')],
      prefetch: PREFETCH,
      startAt: () => ({ deliver_policy: DeliverPolicy.LastPerSubject }),
      onStart: () => {
        this.#unseen = new Set(this.#known.keys());
      },
      onCaughtUp: () => this.#synchronised(),
      onMessage: (raw, delivery) => this.#report(new BusMessage(raw, delivery, NEVER)),
    });
    this.#reader = reader;
    if (this.#stopped) void reader.stop();
    reader.closed.then(
      (reason) => this.#ended(reason),
      (error) => this.#ended(errorText(error)),
    );
  }

  stop(): void {
    this.#stopped = true;
    void this.#reader?.stop();
  }

  get #prefix(): string {
    return `$KV.${this.#bucket}.`;
  }

  #report(message: BusMessage): void {
    const key = message.subject.slice(this.#prefix.length);
    this.#unseen.delete(key);
    // A bucket that was created again counts its messages from 1.
    const id = `${message.seq} ${message.time.getTime()}`;
    if (isTombstone(message)) this.#removed(key);
    else if (this.#known.get(key) !== id) {
      this.#known.set(key, id);
      this.#listener(key, { key, value: message.json() as T, revision: message.seq });
    }
  }

  #removed(key: string): void {
    if (this.#known.delete(key)) this.#listener(key, undefined);
  }

  #synchronised(): void {
    for (const key of this.#unseen) this.#removed(key);
    this.#unseen.clear();
    this.#current.resolve();
    if (this.#options.once) this.stop();
  }

  #ended(reason: string): void {
    if (this.#stopped) return;
    if (this.#bus.nc.isClosed()) {
      const message = `the watch of ${this.#bucket} ended: ${reason}`;
      this.#current.reject(new ReinsError({ code: 'bus_unavailable', message }));
      return;
    }
    this.#bus.log.warn({ bucket: this.#bucket, reason }, 'watch ended, starting it again');
    setTimeout(() => this.#restart(), RESTART_MS).unref();
  }

  #restart(): void {
    if (!this.#stopped) this.start().catch((error) => this.#ended(errorText(error)));
  }
}

const NEVER = new AbortController().signal;
