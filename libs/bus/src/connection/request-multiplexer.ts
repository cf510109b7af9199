import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import { ReplyInbox } from '../publish/reply-inbox.ts';

interface PendingRequest {
  readonly resolve: (reply: Msg) => void;
  readonly reject: (error: ReinsError) => void;
  /** Deadline, by `performance.now()`. */
  readonly until: number;
}

const CHECK_INTERVAL_MS = 500;

/**
 * Sends requests and receives all replies over one inbox. The client's own request creates a timer and an error object
 * for each call, which is too expensive for thousands of requests a second.
 */
export class RequestMultiplexer {
  readonly #nc: NatsConnection;
  readonly #inboxPrefix: string | undefined;
  readonly #timeoutMs: number;
  readonly #pending = new Map<number, PendingRequest>();
  #inbox: ReplyInbox | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #next = 0;

  constructor(nc: NatsConnection, options: { readonly inboxPrefix: string | undefined; readonly timeoutMs: number }) {
    this.#nc = nc;
    this.#inboxPrefix = options.inboxPrefix;
    this.#timeoutMs = options.timeoutMs;
  }

  /**
   * Sends a request and resolves with its reply, which may be status 503 (no responders).
   * @throws ReinsError `bus_unavailable` (no reply in time, or the connection was lost: the outcome is unknown),
   * `bus_request_invalid` or `bus_message_too_large` (the client rejected it, it was not sent)
   */
  request(subject: string, data: Uint8Array, headers?: MsgHdrs): Promise<Msg> {
    return new Promise((resolve, reject) => {
      this.#inbox ??= new ReplyInbox(this.#nc, this.#inboxPrefix, (number, reply) => this.#onReply(number, reply));
      this.#watchdog ??= setInterval(() => this.#expireOverdue(), CHECK_INTERVAL_MS).unref();
      const number = this.#next++;
      this.#pending.set(number, { resolve, reject, until: performance.now() + this.#timeoutMs });
      try {
        this.#nc.publish(subject, data, { reply: this.#inbox.subjectOf(number), ...(headers && { headers }) });
      } catch (cause) {
        this.#pending.delete(number);
        reject(rejectedByClient(cause, subject));
      }
    });
  }

  /** Rejects all pending requests. */
  fail(error: ReinsError): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }

  close(): void {
    clearInterval(this.#watchdog);
    this.#inbox?.close();
  }

  #onReply(number: number, reply: Msg): void {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    pending?.resolve(reply);
  }

  /** Pending requests are in the order of their deadlines. */
  #expireOverdue(): void {
    const now = performance.now();
    for (const [number, { until, reject }] of this.#pending) {
      if (until > now) return;
      this.#pending.delete(number);
      reject(new ReinsError({ code: 'bus_unavailable', message: 'NATS request timed out' }));
    }
  }
}

const TOO_LARGE = /max_payload/;

function rejectedByClient(cause: unknown, subject: string): ReinsError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = TOO_LARGE.test(message) ? 'bus_message_too_large' : 'bus_request_invalid';
  return new ReinsError({ code, message, path: subject }, { cause });
}
