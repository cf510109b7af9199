import { setTimeout as sleep } from 'node:timers/promises';
import { createInbox, type Msg, nanos, type Subscription } from '@nats-io/nats-core';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';
import { whileConnected } from '../connection/while-connected.ts';

/** Why messages come no more. */
export type StopReason = 'stopped' | 'consumer_gone' | 'stream_gone' | 'connection_closed';

export interface PullCallbacks {
  /** How many messages more than those handed over already may come. */
  readonly room: () => number;
  readonly onMessage: (message: Msg) => void;
  /**
   * The way to the server was lost and found; what was on its way may be lost. Called before anything is asked for
   * again.
   */
  readonly onRestart?: () => void | Promise<void>;
  readonly onEnd: (reason: Exclude<StopReason, 'stopped'>) => void;
}

const EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 5_000;
const SILENCE_MS = HEARTBEAT_MS * 2.5;
const RETRY_MS = 200;
/** Ask again as soon as this part of the room that was asked for last is free. */
const REFILL_SHARE = 4;

/**
 * Pulls messages of one consumer: never asks for more than there is room for, so that what waits, waits in the stream
 * and another replica may take it. A consumer that is gone ends it; nothing here ever creates one.
 */
export class PullClient {
  readonly #bus: Bus;
  readonly #stream: string;
  readonly #handlers: PullCallbacks;
  readonly #unwatch: () => void;
  readonly #watchdog: NodeJS.Timeout;
  #consumer: string;
  #inbox: Subscription | undefined;
  #asked = 0;
  #lastActivity = 0;
  #lastStart = performance.now();
  #checking: Promise<void> | undefined;
  #ended = false;

  constructor(bus: Bus, stream: string, consumer: string, handlers: PullCallbacks) {
    this.#bus = bus;
    this.#stream = stream;
    this.#consumer = consumer;
    this.#handlers = handlers;
    this.#unwatch = bus.onState((state) => {
      if (state === 'closed') this.#end('connection_closed');
      else if (state === 'connected') this.check();
    });
    this.#watchdog = setInterval(() => this.#checkForSilence(), HEARTBEAT_MS).unref();
    this.#listen();
    this.refill();
  }

  get consumer(): string {
    return this.#consumer;
  }

  /** Asks for as many messages as there is room for, in as few requests as reasonable. */
  refill(): void {
    if (this.#ended || this.#checking || !this.#inbox) return;
    const want = this.#handlers.room() - this.#asked;
    if (want <= 0 || (this.#asked > 0 && want * REFILL_SHARE < this.#asked)) return;
    this.#asked += want;
    this.#lastActivity = performance.now();
    const request = { batch: want, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) };
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${this.#stream}.${this.#consumer}`;
    this.#bus.nc.publish(subject, JSON.stringify(request), { reply: this.#inbox.getSubject() });
  }

  /** Asks whether the consumer is still there, then starts afresh on it. */
  check(): void {
    this.#checking ??= this.#restart().finally(() => {
      this.#checking = undefined;
      this.refill();
    });
  }

  /** Goes on with another consumer (that of an ordered reader is made anew after every loss). */
  use(consumer: string): void {
    this.#consumer = consumer;
  }

  stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#watchdog);
    this.#unwatch();
    this.#inbox?.unsubscribe();
    this.#inbox = undefined;
  }

  #end(reason: Exclude<StopReason, 'stopped'>): void {
    if (this.#ended) return;
    this.stop();
    this.#handlers.onEnd(reason);
  }

  /** A new inbox for every start: requests of the old one die on the server for want of a listener. */
  #listen(): void {
    this.#inbox?.unsubscribe();
    this.#asked = 0;
    this.#lastActivity = performance.now();
    const subject = createInbox(this.#bus.inboxPrefix);
    this.#inbox = this.#bus.nc.subscribe(subject, {
      callback: (error, message) => {
        if (error)
          return this.#bus.log.error({ error: error.message, consumer: this.#consumer }, 'not allowed to consume');
        this.#lastActivity = performance.now();
        if (message.subject === subject) return this.#onStatus(message);
        this.#asked--;
        this.#handlers.onMessage(message);
      },
    });
  }

  #onStatus(status: Msg): void {
    const code = status.headers?.code ?? 0;
    if (code === 100) return;
    this.#asked -= Number(status.headers?.get('Nats-Pending-Messages') || 0);
    const description = status.headers?.description ?? '';
    if (code === 404 || code === 408) this.refill();
    else {
      // The consumer was deleted or moved to another leader, or the server shuts down: all of them need a look.
      this.#bus.log.debug({ code, description, consumer: this.#consumer }, 'the server ended a pull');
      this.check();
    }
  }

  #checkForSilence(): void {
    // Also when nothing is asked for: whoever is busy with all slots would not learn otherwise that the consumer is
    // gone.
    if (performance.now() - this.#lastActivity > SILENCE_MS) this.check();
    else this.refill();
  }

  async #restart(): Promise<void> {
    for (let attempt = 0; !this.#ended; attempt++) {
      if (attempt > 0 || performance.now() - this.#lastStart < RETRY_MS) await sleep(RETRY_MS);
      this.#lastStart = performance.now();
      try {
        await this.#handlers.onRestart?.();
        if (this.#ended) return;
        await whileConnected(this.#bus, () => this.#bus.jsm.consumers.info(this.#stream, this.#consumer));
        return this.#ended ? undefined : this.#listen();
      } catch (error) {
        if (this.#bus.nc.isClosed()) return this.#end('connection_closed');
        if (isApiError(error, API.consumerNotFound)) return this.#end('consumer_gone');
        if (isApiError(error, API.streamNotFound)) return this.#end('stream_gone');
        this.#bus.log.debug({ error: String(error), consumer: this.#consumer }, 'the consumer does not answer yet');
      }
    }
  }
}
