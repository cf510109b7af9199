import type { Bus } from '../connection/bus.ts';
import { whileConnected } from '../connection/while-connected.ts';
import { ReadMessage, type StoredMessage } from './stored-message.ts';

/** The last message of a subject, from the leader: a direct get may be answered by a replica that lags. */
export async function lastOf(bus: Bus, stream: string, subject: string): Promise<StoredMessage | undefined> {
  const found = await whileConnected(bus, () => bus.jsm.streams.getMessage(stream, { last_by_subj: subject }));
  return found ? new ReadMessage(found.subject, found.seq, found.data, found.time, found.header) : undefined;
}
