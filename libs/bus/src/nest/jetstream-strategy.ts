import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { defined, parseEvent, ReinsError } from '@reins/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import { Blobs } from '../blobs/blobs.ts';
import { inline } from '../blobs/externalise.ts';
import type { Bus } from '../connection/bus.ts';
import { consume } from '../consume/consume.ts';
import type { Consumption } from '../consume/consumption.ts';
import type { BusMessage } from '../consume/message.ts';
import type { StopReason } from '../consume/pull-client.ts';
import { workerDurable } from '../topology/names.ts';
import type { WorkOptions } from './on-event.ts';

export interface JetStreamStrategyOptions {
  readonly bus: Bus;
  /** Time that running handlers have to finish at a shutdown. */
  readonly graceMs?: number;
}

export interface EndedConsumer {
  readonly durable: string;
  readonly reason: StopReason;
}

/**
 * A Nest transport for JetStream. It consumes the durable of each type of work that a method handles (`@OnEvent`). It
 * resolves a body that is a reference, validates it against the catalogue and passes it to the method.
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

  /** Resolves when a consumer ended unexpectedly. It is not created again: the service should end. */
  get ended(): Promise<EndedConsumer> {
    return this.#ended.promise;
  }

  /** Number of messages received and not finished. */
  get taken(): number {
    return this.#consumptions.reduce((sum, { taken }) => sum + taken, 0);
  }

  listen(callback: (error?: unknown) => void): void {
    this.#start().then(
      () => callback(),
      (error) => callback(error),
    );
  }

  /**
   * First phase of a shutdown: receives no more messages and returns those not started to the server. `close()` does
   * both phases.
   */
  pause(): void {
    this.#stopping = true;
    for (const consumption of this.#consumptions) consumption.pause();
  }

  async close(): Promise<void> {
    this.pause();
    const { graceMs } = this.#options;
    await Promise.all(this.#consumptions.map((consumption) => consumption.stop(defined({ graceMs }))));
  }

  on(): void {
    throw new TypeError('this transport has no events; use `ended`');
  }

  unwrap<T>(): T {
    return this.#options.bus as unknown as T;
  }

  async #start(): Promise<void> {
    const { bus } = this.#options;
    const handlers = [...this.messageHandlers];
    if (handlers.length === 0) return;
    const blobs = await Blobs.open(bus);
    this.#consumptions = await Promise.all(
      handlers.map(async ([type, { extras }]) => {
        const durable = workerDurable(type);
        const { onDead, ...options } = extras as unknown as WorkOptions;
        const consumption = await consume(bus, {
          stream: 'EVENTS',
          durable,
          ...options,
          ...(onDead && { onDead: (message, problem) => onDead(bus, message, problem) }),
          handler: (message) => this.#dispatch(blobs, message),
        });
        void consumption.closed.then((reason) => {
          if (!this.#stopping) this.#ended.resolve({ durable, reason });
        });
        return consumption;
      }),
    );
  }

  /** @throws ReinsError when a retry cannot succeed: the body is not an event, or its type has no handler */
  async #dispatch(blobs: Blobs, message: BusMessage): Promise<void> {
    if (message.isLogOnly) return;
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
