import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { parseEvent, ReinsError } from '@reins/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import { Blobs } from '../blobs/blobs.ts';
import { inline } from '../blobs/externalise.ts';
import type { Bus } from '../connection/bus.ts';
import { consume } from '../consume/consume.ts';
import type { Consumption } from '../consume/consumption.ts';
import type { BusMessage } from '../consume/message.ts';
import type { ConsumeOptions } from '../consume/options.ts';
import type { StopReason } from '../consume/pull-client.ts';

export interface JetStreamStrategyOptions {
  readonly bus: Bus;
  /** The durables that the service works on; what comes is given to the method whose `@OnEvent` names its type. */
  readonly consumers: readonly Omit<ConsumeOptions, 'handler'>[];
  /** How long the handlers that run may take at a shutdown. */
  readonly graceMs?: number;
}

export interface EndedConsumer {
  readonly durable: string;
  readonly reason: StopReason;
}

/**
 * JetStream as a Nest transport: a message's body is fetched where it is a reference, checked against the catalogue,
 * then handed to the method that is decorated with `@OnEvent` of its type.
 */
export class JetStreamStrategy extends Server implements CustomTransportStrategy {
  readonly #options: JetStreamStrategyOptions;
  readonly #ended = Promise.withResolvers<EndedConsumer>();
  #consumptions: Consumption[] = [];
  #stopping = false;

  constructor(options: JetStreamStrategyOptions) {
    super();
    this.#options = options;
  }

  /** Resolves when a consumer ended without having been asked to. It is not made anew: the service should end. */
  get ended(): Promise<EndedConsumer> {
    return this.#ended.promise;
  }

  /** Messages taken and not yet finished. */
  get taken(): number {
    return this.#consumptions.reduce((sum, { taken }) => sum + taken, 0);
  }

  listen(callback: (error?: unknown) => void): void {
    this.#start().then(
      () => callback(),
      (error) => callback(error),
    );
  }

  /** Phase one of a shutdown: takes nothing more, hands back what has not begun. `close()` does both. */
  pause(): void {
    this.#stopping = true;
    for (const consumption of this.#consumptions) consumption.pause();
  }

  async close(): Promise<void> {
    this.pause();
    const { graceMs } = this.#options;
    await Promise.all(this.#consumptions.map((consumption) => consumption.stop({ graceMs })));
  }

  on(): void {
    throw new TypeError('this transport has no events; `ended` tells what matters');
  }

  unwrap<T>(): T {
    return this.#options.bus as unknown as T;
  }

  async #start(): Promise<void> {
    const { bus, consumers } = this.#options;
    const blobs = await Blobs.open(bus);
    this.#consumptions = await Promise.all(
      consumers.map((options) => consume(bus, { ...options, handler: (message) => this.#dispatch(blobs, message) })),
    );
    for (const [index, consumption] of this.#consumptions.entries()) {
      const durable = consumers[index]?.durable ?? '';
      void consumption.closed.then((reason) => {
        if (!this.#stopping) this.#ended.resolve({ durable, reason });
      });
    }
  }

  /** @throws ReinsError for what no later try can mend: a body that is not an event, a type without a handler */
  async #dispatch(blobs: Blobs, message: BusMessage): Promise<void> {
    const event = parseEvent(await inline(blobs, message.data));
    const first = this.messageHandlers.get(event.type);
    if (!first) {
      const problem = {
        code: 'handler_missing',
        message: `no method handles ${event.type}`,
        path: message.subject,
      } as const;
      throw new ReinsError(problem);
    }
    for (let handler: MessageHandler | undefined = first; handler; handler = handler.next) {
      const result: unknown = await handler(event, message);
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    }
  }
}
