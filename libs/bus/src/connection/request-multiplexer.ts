import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import { ReplyInbox } from '../publish/reply-inbox.ts';

interface Question {
  readonly resolve: (reply: Msg) => void;
  readonly reject: (error: ReinsError) => void;
  /** By `performance.now()`. */
  readonly until: number;
}

const LOOK_MS = 500;

/**
 * Requests and their answers over one inbox. The client's own request makes a timer and an error object for each; a busy service
 * asks thousands of times a second.
 */
export class RequestMultiplexer {
  readonly #nc: NatsConnection;
  readonly #inboxPrefix: string | undefined;
  readonly #timeoutMs: number;
  readonly #open = new Map<number, Question>();
  #inbox: ReplyInbox | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #next = 0;

  constructor(nc: NatsConnection, options: { readonly inboxPrefix: string | undefined; readonly timeoutMs: number }) {
    this.#nc = nc;
    this.#inboxPrefix = options.inboxPrefix;
    this.#timeoutMs = options.timeoutMs;
  }

  /**
   * The answer, which may be one that nobody listens (status 503).
   * @throws ReinsError `bus_unavailable` (no answer in time, or the link was lost: what became of it is not known),
   * `bus_request_invalid` (the client does not send it)
   */
  request(subject: string, data: Uint8Array, headers?: MsgHdrs): Promise<Msg> {
    return new Promise((resolve, reject) => {
      this.#inbox ??= new ReplyInbox(this.#nc, this.#inboxPrefix, (number, reply) => this.#answer(number, reply));
      this.#watchdog ??= setInterval(() => this.#giveUpLate(), LOOK_MS).unref();
      const number = this.#next++;
      this.#open.set(number, { resolve, reject, until: performance.now() + this.#timeoutMs });
      try {
        this.#nc.publish(subject, data, { reply: this.#inbox.subjectOf(number), ...(headers && { headers }) });
      } catch (cause) {
        this.#open.delete(number);
        reject(refusedByClient(cause, subject));
      }
    });
  }

  /** Nothing that is open now will be answered any more. */
  fail(error: ReinsError): void {
    const questions = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of questions) reject(error);
  }

  close(): void {
    clearInterval(this.#watchdog);
    this.#inbox?.close();
  }

  #answer(number: number, reply: Msg): void {
    const question = this.#open.get(number);
    this.#open.delete(number);
    question?.resolve(reply);
  }

  /** They stand in the order in which they were asked. */
  #giveUpLate(): void {
    const now = performance.now();
    for (const [number, { until, reject }] of this.#open) {
      if (until > now) return;
      this.#open.delete(number);
      reject(new ReinsError({ code: 'bus_unavailable', message: 'NATS does not answer: timeout' }));
    }
  }
}

const TOO_LARGE = /max_payload/;

function refusedByClient(cause: unknown, subject: string): ReinsError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = TOO_LARGE.test(message) ? 'bus_message_too_large' : 'bus_request_invalid';
  return new ReinsError({ code, message, path: subject }, { cause });
}
