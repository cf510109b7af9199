import type { StreamInfo } from '@nats-io/jetstream';
import { defined, HEADERS } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { getFromLeader } from './last-message-on.ts';
import type { StoredMessage } from './stored-message.ts';

/**
 * The position after a message of a stream. Sequences alone do not identify messages: a stream that was created again,
 * or restored from a backup, gives them to other messages.
 */
export interface StreamPosition {
  readonly seq: number;
  /** Creation time of the stream. Absent if it is not known. */
  readonly created?: string | undefined;
  /** `ce-id` of the message. Absent if it has none, or if it is not known. */
  readonly ceId?: string | undefined;
  /** Time at which the stream stored the message. Absent if it is not known. */
  readonly time?: string | undefined;
}

/** The position after a message of the stream that was created at this time. */
export function positionOf(created: string, message: Pick<StoredMessage, 'seq' | 'time' | 'header'>): StreamPosition {
  const ceId = message.header(HEADERS.id) || undefined;
  return { seq: message.seq, created, ...defined({ ceId }), time: message.time.toISOString() };
}

/** Reads single messages of one stream. */
export interface MessageSource {
  /** The message at a sequence, or the next one after it; undefined after the last message. */
  atOrAfter(seq: number): Promise<Pick<StoredMessage, 'seq' | 'time' | 'header'> | undefined>;
}

/** Whether the stream has another message at the position. A message that was removed cannot be compared. */
export async function isOverwritten(source: MessageSource, { seq, ceId, time }: StreamPosition): Promise<boolean> {
  if (seq === 0 || (ceId === undefined && time === undefined)) return false;
  const found = await source.atOrAfter(seq);
  if (found?.seq !== seq) return false;
  if (ceId !== undefined && (found.header(HEADERS.id) || undefined) !== ceId) return true;
  return time !== undefined && found.time.toISOString() !== time;
}

/**
 * The first sequence after everything that the stream stored up to a time. What a restored stream stored later is what
 * a reader at that time has not read.
 */
export async function firstSeqAfter(
  source: MessageSource,
  time: string,
  { first_seq: first, last_seq: last }: Pick<StreamInfo['state'], 'first_seq' | 'last_seq'>,
): Promise<number> {
  const limit = Date.parse(time);
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await source.atOrAfter(middle);
    if (!found || found.time.getTime() > limit) high = middle;
    else low = found.seq + 1;
  }
  return low;
}

/** Reads messages of a stream from its leader: a replica may not have them yet. */
export const leaderOf = (bus: Bus, stream: string): MessageSource => ({
  atOrAfter: (seq) => getFromLeader(bus, stream, { seq, next_by_subj: '>' }),
});
