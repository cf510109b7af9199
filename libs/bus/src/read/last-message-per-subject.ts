import { DeliverPolicy } from '@nats-io/jetstream';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { BusMessage } from '../consume/message.ts';
import { EphemeralReader } from './ephemeral-reader.ts';
import type { StoredMessage } from './stored-message.ts';

const PREFETCH = 2_000;
const NEVER = new AbortController().signal;

/**
 * The last message of every subject that the filter takes, as the leader has them. Many at a fraction of what it costs to ask for each. After a
 * loss of the link they come again.
 * @throws ReinsError `bus_unavailable` when it ended before all were there, or what `onMessage` throws
 */
export async function lastMessagePerSubject(
  bus: Bus,
  stream: string,
  filter: string,
  onMessage: (message: StoredMessage) => void | Promise<void>,
): Promise<void> {
  const all = Promise.withResolvers<void>();
  let remaining = 0;
  const taken = (): void => {
    remaining -= 1;
    if (remaining === 0) all.resolve();
  };
  const reader = await EphemeralReader.start(bus, {
    stream,
    filters: [filter],
    prefetch: PREFETCH,
    startAt: () => ({ deliver_policy: DeliverPolicy.LastPerSubject }),
    onStart: (pending) => {
      remaining = pending;
      if (pending === 0) all.resolve();
    },
    onMessage: (raw, delivery) => {
      const handled = onMessage(new BusMessage(raw, delivery, NEVER));
      return handled ? handled.then(taken) : taken();
    },
  });
  reader.closed.then((reason) => all.reject(readerEnded(stream, filter, reason)), all.reject);
  try {
    await all.promise;
  } finally {
    await reader.stop();
  }
}

const readerEnded = (stream: string, filter: string, reason: string): ReinsError =>
  new ReinsError({ code: 'bus_unavailable', message: `cannot read ${stream}: ${reason}`, path: filter });
