import { setTimeout as sleep } from 'node:timers/promises';
import type { Msg } from '@nats-io/nats-core';
import { type Problem, ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { ConnectionGuard } from '../connection/connection-guard.ts';
import { lastMessageOn } from '../read/last-message-on.ts';
import { encodeEventHeaders, HeaderCarrier } from './headers.ts';
import { type AckCallback, assertFits, extraHeaders, type OutgoingMessage, sequenceTaken } from './outgoing.ts';
import { type PublishReceipt, parsePubAck } from './pub-ack.ts';
import { ReplyInbox } from './reply-inbox.ts';
import { Window } from './window.ts';

export interface PublisherOptions {
  readonly windowMessages?: number;
  readonly windowBytes?: number;
  /** Time without an acknowledgement of the oldest message after which all are sent again. */
  readonly ackTimeoutMs?: number;
  /**
   * Time after which a message that gets only temporary errors is rejected, such as a stream without a leader or a
   * subject without a stream.
   */
  readonly giveUpAfterMs?: number;
}

interface Pending {
  readonly message: OutgoingMessage;
  readonly encodedHeaders: Uint8Array;
  readonly bytes: number;
  readonly done: AckCallback | undefined;
  /** Time of its first temporary error. */
  postponedSince?: number;
}

interface Waiter {
  readonly until: number;
  readonly resolve: () => void;
}

const WINDOW_MESSAGES = 1024;
const WINDOW_BYTES = 8 * 1024 * 1024;
const ACK_TIMEOUT_MS = 5_000;
const GIVE_UP_AFTER_MS = 30_000;
const RETRY_MS = 100;
const REFILL_DIVISOR = 4;

/**
 * Publishes to streams in call order, pipelined, each message acknowledged.
 *
 * Sending continues without waiting while the window has room. A reconnect, a timeout or a stream without a leader may
 * have lost a message. Then nothing new is sent until all unacknowledged messages are sent again, in order, under the
 * same message ids. The stream drops those that it already has. A message on a subject that the user may not publish on
 * is rejected, and the others go on.
 */
export class OrderedPublisher {
  readonly #bus: Bus;
  readonly #inbox: ReplyInbox;
  readonly #connection: ConnectionGuard;
  readonly #carrier = new HeaderCarrier();
  readonly #window = new Window<Pending>();
  readonly #maxMessages: number;
  readonly #maxBytes: number;
  readonly #giveUpAfterMs: number;
  readonly #watchdog: NodeJS.Timeout;
  readonly #unwatch: (() => void)[];
  /** Number of the first unsent message. */
  #unsent = 0;
  #bytesInFlight = 0;
  #messagesInFlight = 0;
  /** Bytes of the messages that wait for room in the window. */
  #bytesWaiting = 0;
  #recovery: Promise<void> | undefined;
  #oldestAtLastCheck = -1;
  #waiters: Waiter[] = [];
  #readyWaiters: (() => void)[] = [];
  #closed = false;

  constructor(bus: Bus, options: PublisherOptions = {}) {
    this.#bus = bus;
    this.#maxMessages = options.windowMessages ?? WINDOW_MESSAGES;
    this.#maxBytes = options.windowBytes ?? WINDOW_BYTES;
    this.#giveUpAfterMs = options.giveUpAfterMs ?? GIVE_UP_AFTER_MS;
    this.#connection = new ConnectionGuard(bus.nc);
    this.#inbox = new ReplyInbox(bus.nc, bus.inboxPrefix, (number, reply) => this.#onReply(number, reply));
    this.#unwatch = [
      bus.onState((state) => (state === 'closed' ? this.#fail() : this.#checkLink())),
      bus.onRefusedSubject((subject) => this.#refused(subject)),
    ];
    bus.publishers.add(this);
    this.#watchdog = setInterval(() => this.#checkProgress(), options.ackTimeoutMs ?? ACK_TIMEOUT_MS).unref();
  }

  /** Number of messages sent and not acknowledged. */
  get inFlight(): number {
    return this.#messagesInFlight;
  }

  /** Number of messages that wait for room in the window. */
  get backlog(): number {
    return this.#window.next - this.#unsent;
  }

  /**
   * Sends in call order, immediately or as soon as the window allows. Returns false when the backlog is as
   * large as the window: await `ready()` before the next call. A full window alone does not return false, because a
   * steady producer would then wait for every acknowledgement. `done` is called once, when the message is stored or
   * rejected.
   * @throws ReinsError `bus_closed`, `bus_message_too_large`, `message_invalid` (a header)
   */
  publish(message: OutgoingMessage, done?: AckCallback): boolean {
    if (this.#closed) throw new ReinsError({ code: 'bus_closed', message: 'the publisher is closed' });
    const encodedHeaders = encodeEventHeaders(message.headers, extraHeaders(message));
    const bytes = encodedHeaders.length + message.data.length;
    assertFits(bytes, this.#bus.nc.info?.max_payload, message.subject);
    this.#window.push({ message, encodedHeaders, bytes, done });
    this.#bytesWaiting += bytes;
    this.#pump();
    return this.#hasRoom();
  }

  /** Resolves when most waiting messages have been sent. */
  ready(): Promise<void> {
    if (this.#closed || this.#hasRoom()) return Promise.resolve();
    return new Promise((resolve) => this.#readyWaiters.push(resolve));
  }

  /**
   * Publishes messages and resolves with their receipts when all are acknowledged.
   * @throws ReinsError the first rejection
   */
  async publishAll(messages: readonly OutgoingMessage[]): Promise<readonly PublishReceipt[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly PublishReceipt[]>();
    const all: PublishReceipt[] = [];
    let open = messages.length;
    if (open === 0) resolve(all);
    messages.forEach((message, index) => {
      this.publish(message, (error, stored) => {
        if (stored) all[index] = stored;
        if (error) reject(error);
        else if (--open === 0) resolve(all);
      });
    });
    return promise;
  }

  /** Resolves when everything published so far is acknowledged or rejected. */
  settled(): Promise<void> {
    if (this.#window.isEmpty) return Promise.resolve();
    const until = this.#window.next;
    return new Promise((resolve) => this.#waiters.push({ until, resolve }));
  }

  /** Waits until everything is settled, then closes. */
  async close(): Promise<void> {
    await this.settled();
    this.#fail();
  }

  #hasRoom(): boolean {
    return this.backlog < this.#maxMessages && this.#bytesWaiting < this.#maxBytes;
  }

  /** Whether producers may continue: few enough messages wait that producers can refill while the window drains. */
  #isDrained(): boolean {
    return this.backlog <= this.#maxMessages / REFILL_DIVISOR && this.#bytesWaiting <= this.#maxBytes / REFILL_DIVISOR;
  }

  #hasWindowSpace(): boolean {
    return this.#messagesInFlight < this.#maxMessages && this.#bytesInFlight < this.#maxBytes;
  }

  #pump(): void {
    while (this.#unsent < this.#window.next && this.#hasWindowSpace()) {
      if (this.#recovery) return;
      if (!this.#connection.isSameConnection) return void this.#recover();
      const entry = this.#window.get(this.#unsent);
      const number = this.#unsent++;
      if (!entry) continue;
      this.#messagesInFlight++;
      this.#bytesInFlight += entry.bytes;
      this.#bytesWaiting -= entry.bytes;
      this.#send(number, entry);
    }
    if (this.#readyWaiters.length > 0 && this.#isDrained())
      for (const resolve of this.#readyWaiters.splice(0)) resolve();
  }

  #send(number: number, { message, encodedHeaders, done }: Pending): void {
    this.#carrier.encodedHeaders = encodedHeaders;
    try {
      this.#bus.nc.publish(message.subject, message.data, {
        reply: this.#inbox.subjectOf(number),
        headers: this.#carrier,
      });
    } catch (cause) {
      // The client is closed or rejects this subject. The message can never be sent.
      const problem: Problem = { code: 'bus_publish_refused', message: String(cause), path: message.subject };
      this.#finish(number);
      done?.(new ReinsError(problem, { cause }), undefined);
    }
  }

  #onReply(number: number, reply: Msg): void {
    const entry = this.#window.get(number);
    if (!entry) return;
    const outcome = parsePubAck(reply);
    if (outcome.kind === 'retryable') this.#postpone(number, entry, outcome.message);
    else if (outcome.kind === 'conflict') void this.#resolveConflict(number, entry, outcome.stream);
    else if (outcome.kind === 'stored') this.#end(number, entry, undefined, outcome.stored);
    else this.#end(number, entry, { path: entry.message.subject, ...outcome.problem });
  }

  #end(number: number, entry: Pending, problem: Problem | undefined, stored?: PublishReceipt): void {
    this.#finish(number);
    entry.done?.(problem && new ReinsError(problem), stored);
    this.#pump();
  }

  /** The server drops such a message without a reply. Sent again, it would hold back all others for ever. */
  #refused(subject: string): void {
    const problem: Problem = {
      code: 'bus_publish_refused',
      message: `the NATS user of this service is not allowed to publish on ${subject}`,
      path: subject,
      hint: 'Allow the user to publish on this subject.',
    };
    for (const [number, entry] of [...this.#window.between(this.#unsent)])
      if (entry.message.subject === subject) this.#end(number, entry, problem);
  }

  #postpone(number: number, entry: Pending, reason: string): void {
    const now = performance.now();
    entry.postponedSince ??= now;
    if (now - entry.postponedSince < this.#giveUpAfterMs) void this.#recover(reason);
    else this.#end(number, entry, { code: 'bus_unavailable', message: reason, path: entry.message.subject });
  }

  /**
   * Resolves a sequence conflict. The existing message may be this one, stored by an earlier send whose acknowledgement
   * was lost.
   */
  async #resolveConflict(number: number, entry: Pending, stream: string): Promise<void> {
    const { subject, headers } = entry.message;
    try {
      const last = await lastMessageOn(this.#bus, stream, subject);
      if (this.#window.get(number) !== entry) return;
      if (last?.msgId === headers.id) this.#end(number, entry, undefined, { stream, seq: last.seq, duplicate: true });
      else this.#end(number, entry, sequenceTaken(subject, last?.msgId));
    } catch (error) {
      // Outcome unknown: send it again to find out.
      void this.#recover(error instanceof Error ? error.message : String(error));
    }
  }

  #finish(number: number): void {
    const entry = this.#window.get(number);
    if (!entry) return;
    this.#messagesInFlight--;
    this.#bytesInFlight -= entry.bytes;
    this.#window.finish(number);
    if (this.#waiters.length > 0) this.#wake();
  }

  #wake(): void {
    const { oldest } = this.#window;
    const done = this.#waiters.filter((waiter) => waiter.until <= oldest);
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.until > oldest);
    for (const waiter of done) waiter.resolve();
  }

  #checkLink(): void {
    if (!this.#window.isEmpty && !this.#connection.isSameConnection) void this.#recover();
  }

  #checkProgress(): void {
    const { oldest } = this.#window;
    if (this.#messagesInFlight > 0 && oldest === this.#oldestAtLastCheck) void this.#recover('acknowledgement timeout');
    this.#oldestAtLastCheck = oldest;
  }

  #recover(reason?: string): Promise<void> {
    this.#recovery ??= this.#resend(reason).finally(() => {
      this.#recovery = undefined;
      this.#pump();
    });
    return this.#recovery;
  }

  async #resend(reason: string | undefined): Promise<void> {
    if (reason) {
      this.#bus.log.warn({ reason, inFlight: this.#messagesInFlight }, 'unacknowledged messages resent');
      await sleep(RETRY_MS);
    }
    if (!(await this.#connection.restore())) return this.#fail();
    for (const [number, entry] of this.#window.between(this.#unsent)) this.#send(number, entry);
  }

  /** Closes the publisher and rejects all pending messages. */
  #fail(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#bus.publishers.delete(this);
    clearInterval(this.#watchdog);
    for (const unwatch of this.#unwatch) unwatch();
    this.#inbox.close();
    const error = new ReinsError({
      code: 'bus_closed',
      message: 'the connection was closed before the stream acknowledged',
    });
    for (const [number, entry] of [...this.#window.between(this.#window.next)]) {
      this.#window.finish(number);
      entry.done?.(error, undefined);
    }
    this.#messagesInFlight = 0;
    this.#bytesWaiting = 0;
    this.#unsent = this.#window.next;
    for (const waiter of this.#waiters.splice(0)) waiter.resolve();
    for (const resolve of this.#readyWaiters.splice(0)) resolve();
  }
}
