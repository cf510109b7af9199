import { createInbox, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';

/** A message recorded from the bus. The bare client sends copies of it under new ids. */
export interface Sample {
  readonly headers: readonly (readonly [string, string])[];
  readonly data: Uint8Array;
}

export function sampleOf(message: Msg): Sample {
  const all = message.headers;
  return { headers: [...(all?.keys() ?? [])].map((name) => [name, all?.get(name) ?? '']), data: message.data };
}

/** A minimal NATS client: one reply inbox, and one promise per acknowledgement. */
export class BareClient {
  readonly #nc: NatsConnection;
  readonly #inbox = createInbox();
  readonly #waiting = new Map<string, (seq: number) => void>();
  #next = 0;

  constructor(nc: NatsConnection) {
    this.#nc = nc;
    nc.subscribe(`${this.#inbox}.*`, {
      callback: (_, reply) => {
        const token = reply.subject.slice(this.#inbox.length + 1);
        this.#waiting.get(token)?.(reply.json<{ seq: number }>().seq);
        this.#waiting.delete(token);
      },
    });
  }

  /** Publishes the sample with these additional headers. Resolves with its sequence when it is stored. */
  publish(subject: string, sample: Sample, own: Readonly<Record<string, string>>): Promise<number> {
    const all: MsgHdrs = headers();
    for (const [name, value] of sample.headers) all.set(name, value);
    for (const name in own) all.set(name, own[name] as string);
    const token = String(this.#next++);
    return new Promise((resolve) => {
      this.#waiting.set(token, resolve);
      this.#nc.publish(subject, sample.data, { reply: `${this.#inbox}.${token}`, headers: all });
    });
  }

  /** Consumes a durable. The handler acknowledges each message. */
  pull(stream: string, durable: string, handle: (message: Msg) => void): void {
    const inbox = createInbox();
    let asked = 0;
    const refill = (): void => {
      if (asked > BATCH / 2) return;
      asked += BATCH;
      const request = JSON.stringify({ batch: BATCH, expires: EXPIRES_NS });
      this.#nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, request, { reply: inbox });
    };
    this.#nc.subscribe(inbox, {
      callback: (_, message) => {
        if (message.reply) {
          asked -= 1;
          handle(message);
        } else asked = 0;
        refill();
      },
    });
    refill();
  }
}

const BATCH = 512;
const EXPIRES_NS = 60_000_000_000;
export const ACK = new TextEncoder().encode('+ACK');
