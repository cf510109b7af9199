import { type Msg, MsgHdrsImpl } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { toMessage } from './direct-get.ts';
import { ReadMessage, type StoredMessage } from './stored-message.ts';

const NOT_FOUND = 404;
const NO_MESSAGE = 10037;
const encoder = new TextEncoder();

/**
 * Reads the last message on a subject from the leader. With replicas, a direct get may be answered by a lagging one. A
 * single replica is the leader, and a direct get costs a third.
 * @throws ReinsError `bus_unavailable`
 */
export async function lastMessageOn(bus: Bus, stream: string, subject: string): Promise<StoredMessage | undefined> {
  if (bus.singleReplica) {
    const query = encoder.encode(JSON.stringify({ last_by_subj: subject }));
    return direct(await bus.request(`${bus.apiPrefix}.DIRECT.GET.${stream}`, query), stream);
  }
  return getFromLeader(bus, stream, { last_by_subj: subject });
}

/**
 * Gets a message from the leader of a stream. With `seq` and `next_by_subj`, that is the first one at or after the
 * sequence.
 * @throws ReinsError `bus_unavailable`
 */
export async function getFromLeader(
  bus: Bus,
  stream: string,
  query: { readonly last_by_subj: string } | { readonly seq: number; readonly next_by_subj: string },
): Promise<StoredMessage | undefined> {
  const request = encoder.encode(JSON.stringify(query));
  return fromLeader(await bus.request(`${bus.apiPrefix}.STREAM.MSG.GET.${stream}`, request), stream);
}

function direct(reply: Msg, stream: string): StoredMessage | undefined {
  const code = reply.headers?.code ?? 0;
  if (code === 0) return toMessage(reply);
  if (code === NOT_FOUND) return undefined;
  throw unreadable(stream, reply.headers?.description || `status ${code}`);
}

interface GetResponse {
  readonly message?: {
    readonly subject: string;
    readonly seq: number;
    readonly time: string;
    readonly data?: string;
    readonly hdrs?: string;
  };
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

function fromLeader(reply: Msg, stream: string): StoredMessage | undefined {
  if (reply.data.length === 0) throw unreadable(stream, 'the stream has no leader');
  const { message, error } = reply.json<GetResponse>();
  if (message) {
    const { subject, seq, time, data = '', hdrs } = message;
    const headers = hdrs === undefined ? undefined : MsgHdrsImpl.decode(Buffer.from(hdrs, 'base64'));
    return new ReadMessage(subject, seq, Buffer.from(data, 'base64'), new Date(time), headers);
  }
  if (error?.err_code === NO_MESSAGE) return undefined;
  throw unreadable(stream, error?.description ?? 'no answer');
}

const unreadable = (stream: string, why: string): ReinsError =>
  new ReinsError({ code: 'bus_unavailable', message: `cannot read ${stream}: ${why}` });
