import { createInbox, type Msg, nuid } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { ReadMessage, type StoredMessage } from './stored-message.ts';

const SILENCE_MS = 5_000;
const END_OF_BATCH = 204;
const NOT_FOUND = 404;

export interface BatchRequest {
  readonly stream: string;
  readonly subject: string;
  readonly fromSeq: number;
  readonly count: number;
}

/**
 * Reads at most `count` messages of a subject, starting at a sequence, with one batched direct get.
 * @throws ReinsError `bus_unavailable`
 */
export async function directGetBatch(bus: Bus, request: BatchRequest): Promise<StoredMessage[]> {
  const { promise, resolve, reject } = Promise.withResolvers<StoredMessage[]>();
  const messages: StoredMessage[] = [];
  const fail = (what: string): void => reject(readFailed(request, what));
  const watchdog = setTimeout(() => fail('the server stopped responding'), SILENCE_MS);
  const inbox = createInbox(bus.inboxPrefix ?? `_INBOX.${nuid.next()}`);
  const subscription = bus.nc.subscribe(inbox, {
    callback: (error, reply) => {
      watchdog.refresh();
      const code = error ? -1 : statusOf(reply);
      if (code === 0) messages.push(toMessage(reply));
      else if (code === END_OF_BATCH || code === NOT_FOUND) resolve(messages);
      else fail(error?.message ?? reply.headers?.description ?? `status ${code}`);
    },
  });
  try {
    const query = { seq: request.fromSeq, next_by_subj: request.subject, batch: request.count };
    bus.nc.publish(`${bus.apiPrefix}.DIRECT.GET.${request.stream}`, JSON.stringify(query), { reply: inbox });
    return await promise;
  } finally {
    clearTimeout(watchdog);
    subscription.unsubscribe();
  }
}

function statusOf(reply: Msg): number {
  return reply.headers?.code ?? 0;
}

/** Converts the reply to a direct get. */
export function toMessage(reply: Msg): StoredMessage {
  const headers = reply.headers;
  const read = (name: string): string => headers?.last(name) ?? '';
  return new ReadMessage(
    read('Nats-Subject'),
    Number(read('Nats-Sequence')),
    reply.data,
    new Date(read('Nats-Time-Stamp')),
    headers,
  );
}

const readFailed = (request: BatchRequest, what: string): ReinsError =>
  new ReinsError({
    code: 'bus_unavailable',
    message: `cannot read ${request.stream}: ${what}`,
    path: request.subject,
  });
