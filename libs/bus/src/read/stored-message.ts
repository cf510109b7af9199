import type { MsgHdrs } from '@nats-io/nats-core';
import { HEADER } from '../publish/headers.ts';

/** A message as stored in a stream. */
export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
  /** Time the stream stored it. */
  readonly time: Date;
  /** `Nats-Msg-Id`, or an empty string. */
  readonly msgId: string;
  header(name: string): string | undefined;
}

/** Headers by name, decoded on first access: many readers never need them. */
export class LazyHeaders {
  readonly #read: () => MsgHdrs | undefined;
  #values: Map<string, string> | undefined;

  constructor(read: () => MsgHdrs | undefined) {
    this.#read = read;
  }

  get(name: string): string | undefined {
    return this.all().get(name);
  }

  /** Returns the first value of each header. */
  all(): ReadonlyMap<string, string> {
    if (this.#values) return this.#values;
    this.#values = new Map();
    for (const [name, values] of this.#read() ?? []) this.#values.set(name, values[0] ?? '');
    return this.#values;
  }
}

/** A message returned by a get request. */
export class ReadMessage implements StoredMessage {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
  readonly time: Date;
  readonly #headers: LazyHeaders;

  constructor(subject: string, seq: number, data: Uint8Array, time: Date, headers: MsgHdrs | undefined) {
    this.subject = subject;
    this.seq = seq;
    this.data = data;
    this.time = time;
    this.#headers = new LazyHeaders(() => headers);
  }

  get msgId(): string {
    return this.#headers.get(HEADER.msgId) ?? '';
  }

  header(name: string): string | undefined {
    return this.#headers.get(name);
  }
}
