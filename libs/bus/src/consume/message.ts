import type { Msg } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import { decodeEventHeaders, type EventHeaders, HEADER } from '../publish/headers.ts';
import { LazyHeaders, type StoredMessage } from '../read/stored-message.ts';
import type { Delivery } from './delivery.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON of a body. @throws ReinsError `message_invalid` */
export function parseBody(data: Uint8Array, subject: string): unknown {
  try {
    return JSON.parse(decoder.decode(data));
  } catch (cause) {
    throw new ReinsError({ code: 'message_invalid', message: 'the body is not JSON', path: subject }, { cause });
  }
}

/** A message that a consumer handed over. */
export class BusMessage implements StoredMessage {
  /** How often the server handed it out, this time included. */
  readonly deliveries: number;
  readonly seq: number;
  /** How many matching messages lay behind it when it was handed out. */
  readonly pending: number;
  /** Aborts when its consumption ends before the handler: the grace of a stop ran out, or the consumer is gone. */
  readonly signal: AbortSignal;
  readonly #message: Msg;
  readonly #timeMs: number;
  readonly #headers: LazyHeaders;
  #event: EventHeaders | undefined;
  #clearPoisonSuspicion: (() => Promise<void>) | undefined;

  constructor(message: Msg, delivery: Delivery, signal: AbortSignal) {
    this.#message = message;
    this.#headers = new LazyHeaders(() => message.headers);
    this.#timeMs = delivery.timeMs;
    this.deliveries = delivery.deliveries;
    this.seq = delivery.streamSeq;
    this.pending = delivery.pending;
    this.signal = signal;
  }

  get subject(): string {
    return this.#message.subject;
  }

  get data(): Uint8Array {
    return this.#message.data;
  }

  get time(): Date {
    return new Date(this.#timeMs);
  }

  get msgId(): string {
    return this.#headers.get(HEADER.msgId) ?? '';
  }

  /** CloudEvents and Reins headers; fields that are missing are empty strings or absent. */
  get event(): EventHeaders {
    this.#event ??= decodeEventHeaders((name) => this.#headers.get(name));
    return this.#event;
  }

  header(name: string): string | undefined {
    return this.#headers.get(name);
  }

  /** All headers, the first value of each. */
  get headers(): ReadonlyMap<string, string> {
    return this.#headers.all();
  }

  /** The parsed body. @throws ReinsError `message_invalid` */
  json(): unknown {
    return parseBody(this.data, this.subject);
  }

  /**
   * For a handler that has put on record what it does: whoever is handed the message next goes on from there. If the process ends now,
   * that is not held against the message, nor is what was before. Resolves when that is known. Never rejects.
   */
  async clearPoisonSuspicion(): Promise<void> {
    await this.#clearPoisonSuspicion?.();
  }

  /** @internal It is held possible that it ends the process that handles it. */
  suspected(clearPoisonSuspicion: () => Promise<void>): void {
    this.#clearPoisonSuspicion = clearPoisonSuspicion;
  }
}
