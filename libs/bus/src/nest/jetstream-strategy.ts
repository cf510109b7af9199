import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { parseEvent, ReinsError } from '@reins/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import { Blobs } from '../blobs/blobs.ts';
import { inline } from '../blobs/externalise.ts';
import type { Bus } from '../connection/bus.ts';
import { consume } from '../consume/consume.ts';
import type { Consumption } from '../consume/consumption.ts';
import type { BusMessage } from '../consume/message.ts';
import type { ConsumeOptions } from '../consume/options.ts';

export interface JetStreamStrategyOptions {
  readonly bus: Bus;
  /** Durables whose messages go to the handler of their event type. */
  readonly consumers: readonly Omit<ConsumeOptions, 'handler'>[];
  /** How long handlers may go on after `close`. */
  readonly graceMs?: number;
}

/**
 * JetStream as a Nest transport: a message's body is checked against the catalogue, then handed to the method that is
 * decorated with `@OnEvent` of its type. The message is acknowledged when the method has resolved. Shutdown has two phases:
 * `pause` takes nothing more, `close` waits for what runs.
 */
export class JetStreamStrategy extends Server implements CustomTransportStrategy {
  readonly #options: JetStreamStrategyOptions;
  #consumptions: Consumption[] = [];
  #blobs!: Blobs;

  constructor(options: JetStreamStrategyOptions) {
    super();
    this.#options = options;
  }

  override listen(callback: (error?: unknown) => void): void {
    this.#start().then(() => callback(), callback);
  }

  /** Phase one of a shutdown: nothing more is taken, what has not begun is handed back. */
  pause(): void {
    for (const consumption of this.#consumptions) consumption.pause();
  }

  override async close(): Promise<void> {
    const { graceMs } = this.#options;
    await Promise.all(
      this.#consumptions.map((consumption) => consumption.stop(graceMs === undefined ? {} : { graceMs })),
    );
    this.#consumptions = [];
  }

  /** This transport tells of nothing by events of its own; the bus does. */
  override on(): never {
    throw new Error('the JetStream transport emits no events; ask the bus');
  }

  override unwrap<T>(): T {
    return this.#options.bus as T;
  }

  async #start(): Promise<void> {
    const { bus, consumers } = this.#options;
    this.#blobs = await Blobs.open(bus);
    for (const options of consumers) {
      this.#consumptions.push(await consume(bus, { ...options, handler: (message) => this.#handle(message) }));
    }
  }

  async #handle(message: BusMessage): Promise<void> {
    const event = parseEvent(await inline(this.#blobs, message.data));
    const handler = this.getHandlerByPattern(event.type);
    if (!handler) {
      throw new ReinsError({
        code: 'message_invalid',
        message: `nothing here handles ${event.type}`,
        path: message.subject,
      });
    }
    const result: unknown = await handler(event, message);
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  }
}
