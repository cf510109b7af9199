import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/nats-core';

/**
 * One subscription for the replies to all requests of its owner. Each reply subject ends in a request number, so
 * replies may arrive in any order. Numbers are never reused: when a leader changes, two servers may reply to one
 * request.
 */
export class ReplyInbox {
  readonly #prefix: string;
  readonly #subscription: Subscription;

  constructor(
    nc: NatsConnection,
    inboxPrefix: string | undefined,
    onReply: (requestNumber: number, reply: Msg) => void,
  ) {
    this.#prefix = `${createInbox(inboxPrefix)}.`;
    const start = this.#prefix.length;
    this.#subscription = nc.subscribe(`${this.#prefix}*`, {
      callback: (error, reply) => {
        if (!error) onReply(Number(reply.subject.slice(start)), reply);
      },
    });
  }

  subjectOf(requestNumber: number): string {
    return this.#prefix + requestNumber;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }
}
