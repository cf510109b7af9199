import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/nats-core';

/**
 * One subscription that receives the answers to everything its owner sends. Each message is answered on a subject that
 * ends in its number, so an answer finds its message whatever the order in which they come. No number is used twice: when a
 * leader changes, one message may be answered by two, and the second answer must not be taken for that of another message.
 */
export class ReplyInbox {
  readonly #prefix: string;
  readonly #subscription: Subscription;

  constructor(nc: NatsConnection, inboxPrefix: string | undefined, onReply: (token: number, reply: Msg) => void) {
    this.#prefix = `${createInbox(inboxPrefix)}.`;
    const start = this.#prefix.length;
    this.#subscription = nc.subscribe(`${this.#prefix}*`, {
      callback: (error, reply) => {
        if (!error) onReply(Number(reply.subject.slice(start)), reply);
      },
    });
  }

  subjectOf(token: number): string {
    return this.#prefix + token;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }
}
