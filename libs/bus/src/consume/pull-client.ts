import { setTimeout as sleep } from 'node:timers/promises';
import { createInbox, type Msg, nanos, type Subscription } from '@nats-io/nats-core';
import { API, isApiError } from '../connection/api-errors.ts';
import type { Bus } from '../connection/bus.ts';

/** Why a consumption or a reader ended. */
export type StopReason = 'stopped' | 'consumer_gone' | 'stream_gone' | 'connection_closed';

export interface PullCallbacks {
  /** Number of further messages that may be delivered. */
  readonly room: () => number;
  readonly onMessage: (message: Msg) => void;
  /** Called after a reconnect, before new messages are requested. Messages in flight may be lost. */
  readonly onRestart?: () => void | Promise<void>;
  readonly onEnd: (reason: Exclude<StopReason, 'stopped'>) => void;
}

const EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 5_000;
const SILENCE_MS = HEARTBEAT_MS * 2.5;
const RETRY_MS = 200;
/** Request more when the new room is at least 1/4 of the outstanding messages. */
const REFILL_DIVISOR = 4;

/**
 * Pulls messages of one consumer. It never requests more than there is room for: waiting messages stay in the stream,
 * where another replica can take them. It ends when the consumer is gone, and never creates one.
 */
export class PullClient {
  readonly #bus: Bus;
  readonly #stream: string;
  readonly #handlers: PullCallbacks;
  readonly #unwatch: () => void;
  readonly #watchdog: NodeJS.Timeout;
  #consumer: string;
  #inbox: Subscription | undefined;
  #requested = 0;
  #lastActivity = 0;
  #lastStart = performance.now();
  #checking: Promise<void> | undefined;
  #ended = false;

  constructor(bus: Bus, stream: string, consumer: string, handlers: PullCallbacks) {
    this.#bus = bus;
    this.#stream = stream;
    this.#consumer = consumer;
    this.#handlers = handlers;
    // This comes first: it throws on a closed connection, and then no timer or listener may remain.
    this.#listen();
    this.#unwatch = bus.onState((state) => {
      if (state === 'closed') this.#end('connection_closed');
      else if (state === 'connected') this.check();
    });
    this.#watchdog = setInterval(() => this.#checkForSilence(), HEARTBEAT_MS).unref();
    this.refill();
  }

  get consumer(): string {
    return this.#consumer;
  }

  /** Requests as many messages as there is room for, in few requests. */
  refill(): void {
    if (this.#ended || this.#checking || !this.#inbox) return;
    const want = this.#handlers.room() - this.#requested;
    if (want <= 0 || (this.#requested > 0 && want * REFILL_DIVISOR < this.#requested)) return;
    this.#requested += want;
    this.#lastActivity = performance.now();
    const request = { batch: want, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) };
    const subject = `${this.#bus.apiPrefix}.CONSUMER.MSG.NEXT.${this.#stream}.${this.#consumer}`;
    this.#bus.nc.publish(subject, JSON.stringify(request), { reply: this.#inbox.getSubject() });
  }

  /** Checks that the consumer exists, then restarts the pull. */
  check(): void {
    this.#checking ??= this.#restart().finally(() => {
      this.#checking = undefined;
      this.refill();
    });
  }

  /** Switches to another consumer. An ordered reader creates a new one after every loss. */
  switchTo(consumer: string): void {
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

  /** Every start uses a new inbox. The server drops the requests of the old inbox, which has no listener. */
  #listen(): void {
    this.#inbox?.unsubscribe();
    this.#requested = 0;
    this.#lastActivity = performance.now();
    const subject = createInbox(this.#bus.inboxPrefix);
    this.#inbox = this.#bus.nc.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.#bus.log.error({ error: error.message, consumer: this.#consumer }, 'subscription error');
        this.#lastActivity = performance.now();
        if (message.subject === subject) return this.#onStatus(message);
        this.#requested--;
        this.#handlers.onMessage(message);
      },
    });
  }

  #onStatus(status: Msg): void {
    const code = status.headers?.code ?? 0;
    if (code === 100) return;
    this.#requested -= Number(status.headers?.get('Nats-Pending-Messages') || 0);
    const description = status.headers?.description ?? '';
    if (code === 404 || code === 408) this.refill();
    else {
      // The consumer was deleted or moved to another leader, or the server shuts down: check which.
      this.#bus.log.debug({ code, description, consumer: this.#consumer }, 'pull ended by the server');
      this.check();
    }
  }

  #checkForSilence(): void {
    // Checks even without an open request, so that a client with all slots busy notices a deleted consumer.
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
        await this.#bus.jsm.consumers.info(this.#stream, this.#consumer);
        return this.#ended ? undefined : this.#listen();
      } catch (error) {
        if (this.#bus.nc.isClosed()) return this.#end('connection_closed');
        if (isApiError(error, API.consumerNotFound)) return this.#end('consumer_gone');
        if (isApiError(error, API.streamNotFound)) return this.#end('stream_gone');
        this.#bus.log.debug({ error: String(error), consumer: this.#consumer }, 'consumer check failed');
      }
    }
  }
}
