import type { ConsumerConfig, StreamInfo } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/nats-core';
import type { Bus } from '../connection/bus.ts';
import { type Delivery, parseDelivery } from '../consume/delivery.ts';
import { PullClient, type StopReason } from '../consume/pull-client.ts';
import { createReaderConsumer } from './reader-consumer.ts';

/** Start position of a reader's consumer. */
export type Start = Pick<ConsumerConfig, 'deliver_policy'> & Partial<Pick<ConsumerConfig, 'opt_start_seq'>>;

export interface EphemeralReaderOptions {
  readonly stream: string;
  readonly filters: readonly string[];
  readonly prefetch: number;
  /** Called with the state of the stream each time the reader creates a consumer. */
  readonly startAt: (stream: StreamInfo) => Start | Promise<Start>;
  /** Called each time the reader has created a consumer. */
  readonly onStart?: () => void;
  /** Called once per consumer: every message that existed when it was created has been handled, or is gone. */
  readonly onCaughtUp?: () => void;
  /** Called in stream order, without gaps. A returned promise delays the next message; an error ends the reader. */
  readonly onMessage: (message: Msg, delivery: Delivery) => void | Promise<void>;
}

/** While a reader is behind: how often it asks for the rest, and after which silence it creates a new consumer. */
const CHECK_MS = 1_000;
const STALLED_CHECKS = 10;

/**
 * Reads a stream in order through an in-memory consumer of its own. After a missing message or a lost connection it
 * creates a new consumer at the last position.
 */
export class EphemeralReader {
  readonly #bus: Bus;
  readonly #options: EphemeralReaderOptions;
  readonly #ended = Promise.withResolvers<StopReason>();
  readonly #queue: { message: Msg; delivery: Delivery }[] = [];
  #pull: PullClient | undefined;
  #expectedConsumerSeq = 1;
  #busy = false;
  /** True between two consumers: messages are dropped then, and the next consumer delivers them again. */
  #between = true;
  #stopped = false;
  #idle: PromiseWithResolvers<void> | undefined;
  /** Messages that existed when the consumer was created, and were not handled yet. */
  #behind = 0;
  #check: NodeJS.Timeout | undefined;
  #seqAtLastCheck = 0;
  #stalledChecks = 0;

  private constructor(bus: Bus, options: EphemeralReaderOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#ended.promise.catch(() => {});
  }

  static async start(bus: Bus, options: EphemeralReaderOptions): Promise<EphemeralReader> {
    const reader = new EphemeralReader(bus, options);
    const consumer = await reader.#makeConsumer();
    reader.#pull = new PullClient(bus, options.stream, consumer, {
      room: () => options.prefetch - reader.#queue.length,
      onMessage: (message) => reader.#take(message),
      onRestart: async () => {
        if (!reader.#stopped) reader.#pull?.switchTo(await reader.#makeConsumer());
      },
      onEnd: (reason) => reader.#end(reason),
    });
    return reader;
  }

  /** Resolves when the reader has ended; rejects with the error of `onMessage`. */
  get closed(): Promise<StopReason> {
    return this.#ended.promise;
  }

  /** Stops the reader and waits for the message being handled. */
  async stop(): Promise<void> {
    if (!this.#stopped) {
      this.#end('stopped');
      await this.#deleteConsumer();
    }
    await this.#whenIdle();
  }

  async #whenIdle(): Promise<void> {
    if (!this.#busy) return;
    this.#idle ??= Promise.withResolvers<void>();
    await this.#idle.promise;
  }

  #end(reason: StopReason): void {
    this.#stopped = true;
    clearInterval(this.#check);
    this.#pull?.stop();
    this.#queue.length = 0;
    this.#ended.resolve(reason);
  }

  async #makeConsumer(): Promise<string> {
    const { stream, filters } = this.#options;
    // The new consumer starts after the message being handled; queued messages are delivered again.
    this.#between = true;
    this.#queue.length = 0;
    await this.#whenIdle();
    await this.#deleteConsumer();
    const info = await this.#bus.jsm.streams.info(stream);
    const start = await this.#options.startAt(info);
    const made = await createReaderConsumer(this.#bus, stream, filters, start);
    this.#expectedConsumerSeq = 1;
    this.#between = false;
    this.#options.onStart?.();
    if (this.#options.onCaughtUp) this.#catchUp(made.num_pending);
    return made.name;
  }

  #catchUp(pending: number): void {
    this.#behind = pending;
    this.#seqAtLastCheck = 0;
    this.#stalledChecks = 0;
    clearInterval(this.#check);
    if (this.#stopped) return;
    if (pending === 0) queueMicrotask(() => this.#caughtUp());
    else this.#check = setInterval(() => void this.#checkRest(), CHECK_MS).unref();
  }

  #caughtUp(): void {
    this.#behind = 0;
    clearInterval(this.#check);
    if (!this.#stopped) this.#options.onCaughtUp?.();
  }

  /**
   * Messages that expire, or are removed before their delivery, never arrive. When none arrives for a while, the server
   * knows whether there are more. If it still has some, a new consumer may deliver them.
   */
  async #checkRest(): Promise<void> {
    const pull = this.#pull;
    if (!pull || this.#between || this.#busy) return;
    const { consumer } = pull;
    const seq = this.#expectedConsumerSeq;
    if (seq !== this.#seqAtLastCheck) {
      this.#seqAtLastCheck = seq;
      this.#stalledChecks = 0;
      return;
    }
    this.#stalledChecks += 1;
    if (this.#stalledChecks % STALLED_CHECKS === 0) return pull.check();
    const rest = await this.#restOf(consumer);
    if (this.#between || pull.consumer !== consumer || this.#expectedConsumerSeq !== seq) return;
    if (rest === 0 && this.#behind > 0) this.#caughtUp();
  }

  /** Messages of the consumer that we have not received; undefined when the server does not respond. */
  async #restOf(consumer: string): Promise<number | undefined> {
    try {
      const { delivered, num_pending: pending } = await this.#bus.jsm.consumers.info(this.#options.stream, consumer);
      return pending + delivered.consumer_seq - (this.#expectedConsumerSeq - 1);
    } catch {
      return undefined;
    }
  }

  /** Makes room for other readers. A consumer that is left over expires. */
  async #deleteConsumer(): Promise<void> {
    if (!this.#pull || this.#bus.state !== 'connected') return;
    await this.#bus.jsm.consumers.delete(this.#options.stream, this.#pull.consumer).catch(() => false);
  }

  #take(message: Msg): void {
    const delivery = parseDelivery(message.reply ?? '');
    if (this.#between || !delivery || delivery.consumer !== this.#pull?.consumer) return;
    if (delivery.consumerSeq !== this.#expectedConsumerSeq) {
      this.#pull.check();
      return;
    }
    this.#expectedConsumerSeq++;
    this.#queue.push({ message, delivery });
    if (!this.#busy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        const handled = this.#options.onMessage(next.message, next.delivery);
        if (handled) await handled;
        if (this.#behind > 0) {
          this.#behind -= 1;
          if (this.#behind === 0) this.#caughtUp();
        }
        this.#pull?.refill();
      }
    } catch (error) {
      this.#ended.reject(error);
      this.#end('stopped');
    }
    this.#busy = false;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
