import { setTimeout as sleep } from 'node:timers/promises';
import type { Msg } from '@nats-io/nats-core';
import { type Problem, ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { ConnectionGuard } from '../connection/connection-guard.ts';
import { lastMessageOn } from '../read/last-message-on.ts';
import type { StoredMessage } from '../read/stored-message.ts';
import { type ExtraHeaders, encodeHeaders, HEADER, HeaderCarrier } from './headers.ts';
import { assertFits } from './outgoing.ts';
import { parsePubAck } from './pub-ack.ts';
import { ReplyInbox } from './reply-inbox.ts';

export interface AppendRequest {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly msgId: string;
  /** Sequence of the previous message on the subject; 0 = this is the first. */
  readonly expectedLastSubjectSeq: number;
  readonly headers?: ExtraHeaders;
}

export type AppendResult =
  | { readonly outcome: 'stored'; readonly seq: number }
  /** Another writer's message is the last one: reload, or stop. */
  | { readonly outcome: 'fenced'; readonly last: StoredMessage | undefined };

export interface AppenderOptions {
  readonly stream: string;
  /** Time without an acknowledgement after which the leader is queried. */
  readonly ackTimeoutMs?: number;
  /** Time after which an append with an unknown outcome is rejected. */
  readonly giveUpAfterMs?: number;
}

interface Operation {
  readonly request: AppendRequest;
  readonly encodedHeaders: Uint8Array;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: ReinsError) => void;
  readonly startedAt: number;
  sentAt: number;
  repeats: number;
  /** Its outcome is being determined. */
  resolving: boolean;
}

const ACK_TIMEOUT_MS = 2_000;
const GIVE_UP_AFTER_MS = 30_000;
const RETRY_MS = 50;

/**
 * Compare-and-set appends, each to the end of its subject. Appends to different subjects run concurrently.
 *
 * The server's replies to a repeated append differ between R1 and R3. Only "stored" is therefore trusted; otherwise the
 * last message of the subject, read from the leader, decides.
 */
export class Appender {
  readonly #bus: Bus;
  readonly #stream: string;
  readonly #inbox: ReplyInbox;
  readonly #connection: ConnectionGuard;
  readonly #carrier = new HeaderCarrier();
  readonly #operations = new Map<number, Operation>();
  readonly #ackTimeoutMs: number;
  readonly #giveUpAfterMs: number;
  readonly #watchdog: NodeJS.Timeout;
  readonly #unwatch: () => void;
  #next = 0;
  #restoring: Promise<boolean> | undefined;
  #closed = false;

  constructor(bus: Bus, options: AppenderOptions) {
    this.#bus = bus;
    this.#stream = options.stream;
    this.#ackTimeoutMs = options.ackTimeoutMs ?? ACK_TIMEOUT_MS;
    this.#giveUpAfterMs = options.giveUpAfterMs ?? GIVE_UP_AFTER_MS;
    this.#connection = new ConnectionGuard(bus.nc);
    this.#inbox = new ReplyInbox(bus.nc, bus.inboxPrefix, (number, reply) => this.#onReply(number, reply));
    this.#unwatch = bus.onState((state) => (state === 'closed' ? this.#end() : this.#resolveAllIfDisconnected()));
    this.#watchdog = setInterval(() => this.#resolveOverdue(), this.#ackTimeoutMs / 4).unref();
  }

  /** Number of appends without an outcome. */
  get open(): number {
    return this.#operations.size;
  }

  /**
   * Appends a message. Do not append to one subject concurrently: the second append would be fenced by the first.
   * @throws ReinsError `bus_unavailable` (outcome unknown), `bus_stream_full`, `bus_message_too_large`,
   * `bus_publish_refused`
   */
  append(request: AppendRequest): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new ReinsError({ code: 'bus_closed', message: 'the appender is closed' });
      const encodedHeaders = encodeHeaders({
        ...request.headers,
        [HEADER.msgId]: request.msgId,
        [HEADER.expectedLastSubjectSeq]: String(request.expectedLastSubjectSeq),
      });
      assertFits(encodedHeaders.length + request.data.length, this.#bus.nc.info?.max_payload, request.subject);
      const now = performance.now();
      const operation: Operation = {
        request,
        encodedHeaders,
        resolve,
        reject,
        startedAt: now,
        sentAt: now,
        repeats: 0,
        resolving: false,
      };
      const number = this.#next++;
      this.#operations.set(number, operation);
      // A send over a broken connection is lost silently: query the leader instead.
      if (this.#connection.isSameConnection && !this.#restoring) this.#send(number, operation);
      else this.#resolveAllIfDisconnected();
    });
  }

  /** Closes the appender. Pending appends reject with `bus_closed`. */
  close(): void {
    this.#end();
  }

  #send(number: number, operation: Operation): void {
    operation.sentAt = performance.now();
    this.#carrier.encodedHeaders = operation.encodedHeaders;
    try {
      this.#bus.nc.publish(operation.request.subject, operation.request.data, {
        reply: this.#inbox.subjectOf(number),
        headers: this.#carrier,
      });
    } catch (cause) {
      this.#reject(number, { code: 'bus_publish_refused', message: String(cause) });
    }
  }

  #onReply(number: number, reply: Msg): void {
    const operation = this.#operations.get(number);
    if (!operation) return;
    const outcome = parsePubAck(reply);
    if (outcome.kind === 'stored') this.#settle(number, { outcome: 'stored', seq: outcome.stored.seq });
    else if (outcome.kind === 'refused') this.#reject(number, outcome.problem);
    else void this.#resolveOutcome(number, operation);
  }

  /** Determines the outcome of an append from the leader: stored, to be sent again, or fenced. */
  async #resolveOutcome(number: number, operation: Operation): Promise<void> {
    if (operation.resolving) return;
    operation.resolving = true;
    const { subject, msgId, expectedLastSubjectSeq } = operation.request;
    while (this.#operations.get(number) === operation) {
      if (!this.#connection.isSameConnection && !(await this.#restore())) return;
      const last = await this.#readLast(subject);
      if (this.#operations.get(number) !== operation) return;
      if (last === 'unknown') {
        if (performance.now() - operation.startedAt > this.#giveUpAfterMs)
          return this.#reject(number, outcomeUnknown(subject));
        await sleep(RETRY_MS);
      } else if (last?.msgId === msgId) return this.#settle(number, { outcome: 'stored', seq: last.seq });
      else if ((last?.seq ?? 0) !== expectedLastSubjectSeq) return this.#settle(number, { outcome: 'fenced', last });
      else if (performance.now() - operation.startedAt > this.#giveUpAfterMs)
        return this.#reject(number, outcomeUnknown(subject));
      else if (this.#connection.isSameConnection) return this.#sendAgain(number, operation);
    }
  }

  async #sendAgain(number: number, operation: Operation): Promise<void> {
    if (operation.repeats++ > 0) await sleep(RETRY_MS);
    operation.resolving = false;
    if (this.#operations.get(number) === operation) this.#send(number, operation);
  }

  async #readLast(subject: string): Promise<StoredMessage | undefined | 'unknown'> {
    try {
      return await lastMessageOn(this.#bus, this.#stream, subject);
    } catch (error) {
      this.#bus.log.debug({ subject, error: String(error) }, 'stream leader did not respond');
      return 'unknown';
    }
  }

  #settle(number: number, result: AppendResult): void {
    const operation = this.#operations.get(number);
    this.#operations.delete(number);
    operation?.resolve(result);
  }

  #reject(number: number, problem: Problem): void {
    const operation = this.#operations.get(number);
    this.#operations.delete(number);
    operation?.reject(new ReinsError({ path: operation.request.subject, ...problem }));
  }

  #resolveAllIfDisconnected(): void {
    if (this.#operations.size > 0 && !this.#connection.isSameConnection) void this.#restore();
  }

  /** Waits once for the connection, then determines the outcome of every pending append. */
  #restore(): Promise<boolean> {
    this.#restoring ??= this.#connection.restore().then((restored) => {
      this.#restoring = undefined;
      if (restored) for (const [number, operation] of this.#operations) void this.#resolveOutcome(number, operation);
      return restored;
    });
    return this.#restoring;
  }

  #resolveOverdue(): void {
    const late = performance.now() - this.#ackTimeoutMs;
    for (const [number, operation] of this.#operations) {
      if (operation.sentAt < late) void this.#resolveOutcome(number, operation);
    }
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#watchdog);
    this.#unwatch();
    this.#inbox.close();
    for (const number of [...this.#operations.keys()]) {
      this.#reject(number, { code: 'bus_closed', message: 'the connection was closed before the stream acknowledged' });
    }
  }
}

const outcomeUnknown = (subject: string): Problem => ({
  code: 'bus_unavailable',
  message: 'append outcome unknown',
  path: subject,
});
