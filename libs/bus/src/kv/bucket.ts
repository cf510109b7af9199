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

/** Opens a bucket of the topology. Sends no request. */
export async function openBucket<T>(bus: Bus, name: BucketName): Promise<TypedBucket<T>> {
  return new TypedBucket<T>(bus, name);
}

interface WriteOptions {
  /** The revision that the key must have; 0 means that it must not exist. Default: any. */
  readonly expected?: number | undefined;
  /** Default: the value does not expire. */
  readonly ttlMs?: number | undefined;
}

/** Letters, digits and `_=-`; dots separate levels. */
const KEY = /^[A-Za-z0-9_=-]+(\.[A-Za-z0-9_=-]+)*$/;

/**
 * A key-value bucket of JSON values that is read from its leader. Every write may have its own TTL. The client's
 * `update` drops the TTL, so writes are plain publishes with the necessary headers.
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

  /** Creates a key. Resolves to the new revision, or undefined when the key exists. */
  async create(key: string, value: T, ttlMs?: number): Promise<number | undefined> {
    const revision = await this.#write(key, value, { expected: 0, ttlMs });
    if (revision !== undefined) return revision;
    // The subject has a message, which may be the tombstone of an earlier value.
    const last = await this.#last(key);
    if (last && !isTombstone(last)) return undefined;
    return this.#write(key, value, { expected: last?.seq ?? 0, ttlMs });
  }

  async put(key: string, value: T, ttlMs?: number): Promise<number> {
    return (await this.#write(key, value, { ttlMs })) as number;
  }

  /** Compare-and-set. Resolves to the new revision, or undefined when `revision` is not the current one. */
  update(key: string, value: T, revision: number, ttlMs?: number): Promise<number | undefined> {
    return this.#write(key, value, { expected: revision, ttlMs });
  }

  /** Deletes a key. Resolves to false when `revision` is given and is not the current one. */
  async delete(key: string, revision?: number): Promise<boolean> {
    const headers = this.#headers({ expected: revision });
    headers.set('KV-Operation', 'PURGE');
    headers.set('Nats-Rollup', 'sub');
    // The tombstone stays long enough for watchers to see it.
    headers.set(HEADER.ttl, '60s');
    return (await this.#publish(key, new Uint8Array(), headers)) !== undefined;
  }

  /** Lists the keys that have a value. */
  async keys(filter = '>'): Promise<string[]> {
    const found: string[] = [];
    const watch = await this.watch({ filter, once: true }, (key, entry) => {
      if (entry) found.push(key);
    });
    await watch.current;
    watch.stop();
    return found;
  }

  /** Reports every current value, then every change; `undefined` means removed or expired. */
  watch(options: WatchOptions, listener: BucketListener<T>): Promise<Watch> {
    return watchBucket(this.#bus, this.#name, options, listener);
  }

  #last(key: string): Promise<StoredMessage | undefined> {
    return lastMessageOn(this.#bus, bucketStream(this.#name), this.#subject(key));
  }

  #write(key: string, value: T, options: WriteOptions): Promise<number | undefined> {
    return this.#publish(key, new TextEncoder().encode(JSON.stringify(value)), this.#headers(options));
  }

  #headers({ expected, ttlMs }: WriteOptions): MsgHdrs {
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
      message: 'invalid bucket key',
      path: key.slice(0, 80),
    });
  }
}
