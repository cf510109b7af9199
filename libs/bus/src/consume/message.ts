import type { Msg } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import { decodeEventHeaders, type EventHeaders, HEADER } from '../publish/headers.ts';
import { LazyHeaders, type StoredMessage } from '../read/stored-message.ts';
import type { Delivery } from './delivery.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body as JSON.
 * @throws ReinsError `message_invalid`
 */
export function parseBody(data: Uint8Array, subject: string): unknown {
  try {
    return JSON.parse(decoder.decode(data));
  } catch (cause) {
    throw new ReinsError({ code: 'message_invalid', message: 'the body is not JSON', path: subject }, { cause });
  }
}

/** A message delivered by a consumer. */
export class BusMessage implements StoredMessage {
  /** Number of deliveries, including this one. */
  readonly deliveries: number;
  readonly seq: number;
  /** Number of matching messages after this one at the time of its delivery. */
  readonly pending: number;
  /**
   * Aborts when the consumption ends before the handler: the grace period of a stop is over, or the consumer is gone.
   */
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

  /** CloudEvents and Reins headers. A missing field is an empty string or absent. */
  get event(): EventHeaders {
    this.#event ??= decodeEventHeaders((name) => this.#headers.get(name));
    return this.#event;
  }

  /**
   * Whether the message only completes the event log: the answer to this request is not needed any more. Workers
   * acknowledge it without doing anything.
   */
  get isLogOnly(): boolean {
    return this.event.repaired === true && !this.event.reply;
  }

  header(name: string): string | undefined {
    return this.#headers.get(name);
  }

  /** The first value of each header. */
  get headers(): ReadonlyMap<string, string> {
    return this.#headers.all();
  }

  /**
   * Parses the body as JSON.
   * @throws ReinsError `message_invalid`
   */
  json(): unknown {
    return parseBody(this.data, this.subject);
  }

  /**
   * Call it from a handler that has recorded its work, so that a redelivery resumes that work. A crash of the process
   * after this call is not counted against the message, and earlier crashes are cleared. Resolves after the suspicion
   * is removed. Never rejects.
   */
  async clearPoisonSuspicion(): Promise<void> {
    await this.#clearPoisonSuspicion?.();
  }

  /** @internal The message may have crashed the process that handled it. */
  markSuspected(clearPoisonSuspicion: () => Promise<void>): void {
    this.#clearPoisonSuspicion = clearPoisonSuspicion;
  }
}
