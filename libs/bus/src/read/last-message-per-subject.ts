import { DeliverPolicy } from '@nats-io/jetstream';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { BusMessage } from '../consume/message.ts';
import { EphemeralReader } from './ephemeral-reader.ts';
import type { StoredMessage } from './stored-message.ts';

const PREFETCH = 2_000;
const NEVER = new AbortController().signal;

/**
 * Reads the last message of every subject that matches the filter, from the leader. Much cheaper than one request per
 * subject. After a lost connection the messages are delivered again.
 * @throws ReinsError `bus_unavailable` when the reader ended early, or the error of `onMessage`
 */
export async function lastMessagePerSubject(
  bus: Bus,
  stream: string,
  filter: string,
  onMessage: (message: StoredMessage) => void | Promise<void>,
): Promise<void> {
  const allReceived = Promise.withResolvers<void>();
  const reader = await EphemeralReader.start(bus, {
    stream,
    filters: [filter],
    prefetch: PREFETCH,
    startAt: () => ({ deliver_policy: DeliverPolicy.LastPerSubject }),
    onCaughtUp: () => allReceived.resolve(),
    onMessage: (raw, delivery) => onMessage(new BusMessage(raw, delivery, NEVER)),
  });
  reader.closed.then((reason) => allReceived.reject(readerEnded(stream, filter, reason)), allReceived.reject);
  try {
    await allReceived.promise;
  } finally {
    await reader.stop();
  }
}

const readerEnded = (stream: string, filter: string, reason: string): ReinsError =>
  new ReinsError({ code: 'bus_unavailable', message: `cannot read ${stream}: ${reason}`, path: filter });
