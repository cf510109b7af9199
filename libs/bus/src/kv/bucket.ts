import { type MsgHdrs, headers as newHeaders } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { parseBody } from '../consume/message.ts';
import { HEADER } from '../publish/headers.ts';
import { publishWithAck } from '../publish/publish-with-ack.ts';
import { lastMessageOn } from '../read/last-message-on.ts';
import type { StoredMessage } from '../read/stored-message.ts';
import { type BucketName, bucketStream } from '../topology/names.ts';
import { type Entry, isTombstone } from './entry.ts';
import { type BucketListener, type Watch, type WatchOptions, watchBucket } from './watch.ts';

/** The bucket that `name` declares in the topology. Nothing is asked of the server. */
export async function openBucket<T>(bus: Bus, name: BucketName): Promise<TypedBucket<T>> {
  return new TypedBucket<T>(bus, name);
}

/** `a-z`, digits and the few signs that a key may have; dots make levels. */
const KEY = /^[A-Za-z0-9_=-]+(\.[A-Za-z0-9_=-]+)*$/;

/**
 * A key-value bucket of JSON values, read from its leader. Every write may have a TTL of its own: the client's `update`
 * drops it, so that writes are plain publishes with the headers that say what is meant.
 */
export class TypedBucket<T> {
  readonly #bus: Bus;
  readonly #name: BucketName;

  constructor(bus: Bus, name: BucketName) {
    this.#bus = bus;
    this.#name = name;
  }

  async get(key: string): Promise<Entry<T> | undefined> {
    const last = await this.#last(key);
    if (!last || isTombstone(last)) return undefined;
    return { key, value: parseBody(last.data, last.subject) as T, revision: last.seq };
  }

  /** The new revision; undefined when the key exists. */
  async create(key: string, value: T, ttlMs?: number): Promise<number | undefined> {
    const revision = await this.#write(key, value, { expected: 0, ttlMs });
    if (revision !== undefined) return revision;
    // The subject is not empty, but what stands there may be the tombstone of an earlier value.
    const last = await this.#last(key);
    if (last && !isTombstone(last)) return undefined;
    return this.#write(key, value, { expected: last?.seq ?? 0, ttlMs });
  }

  async put(key: string, value: T, ttlMs?: number): Promise<number> {
    return (await this.#write(key, value, { ttlMs })) as number;
  }

  /** Compare-and-set: the new revision, or undefined when `revision` is not the current one. */
  update(key: string, value: T, revision: number, ttlMs?: number): Promise<number | undefined> {
    return this.#write(key, value, { expected: revision, ttlMs });
  }

  /** False when `revision` is given and is not the current one. */
  async delete(key: string, revision?: number): Promise<boolean> {
    const headers = this.#headers({ expected: revision });
    headers.set('KV-Operation', 'PURGE');
    headers.set('Nats-Rollup', 'sub');
    // The tombstone itself goes away; watchers have seen it by then.
    headers.set(HEADER.ttl, '60s');
    return (await this.#publish(key, new Uint8Array(), headers)) !== undefined;
  }

  /** Keys that have a value. */
  async keys(filter = '>'): Promise<string[]> {
    const found: string[] = [];
    const watch = await this.watch({ filter, once: true }, (key, entry) => {
      if (entry) found.push(key);
    });
    await watch.current;
    watch.stop();
    return found;
  }

  /** Every value now, then every change; `undefined` stands for removed or expired. */
  watch(options: WatchOptions, listener: BucketListener<T>): Promise<Watch> {
    return watchBucket(this.#bus, this.#name, options, listener);
  }

  #last(key: string): Promise<StoredMessage | undefined> {
    return lastMessageOn(this.#bus, bucketStream(this.#name), this.#subject(key));
  }

  #write(key: string, value: T, how: { expected?: number; ttlMs?: number }): Promise<number | undefined> {
    return this.#publish(key, new TextEncoder().encode(JSON.stringify(value)), this.#headers(how));
  }

  #headers({ expected, ttlMs }: { expected?: number; ttlMs?: number }): MsgHdrs {
    const headers = newHeaders();
    if (expected !== undefined) headers.set(HEADER.expectedLastSubjectSeq, String(expected));
    if (ttlMs !== undefined) headers.set(HEADER.ttl, `${Math.max(1, Math.ceil(ttlMs / 1000))}s`);
    return headers;
  }

  async #publish(key: string, data: Uint8Array, headers: MsgHdrs): Promise<number | undefined> {
    return (await publishWithAck(this.#bus, this.#subject(key), data, headers))?.seq;
  }

  #subject(key: string): string {
    if (KEY.test(key)) return `$KV.${this.#name}.${key}`;
    throw new ReinsError({
      code: 'token_invalid',
      message: 'this cannot be a key of a bucket',
      path: key.slice(0, 80),
    });
  }
}
