import { hash } from 'node:crypto';
import type { StoredMessage } from '@reins/bus';
import { defined, HEADERS } from '@reins/contracts';

/**
 * The SSE id of an event, `<sequence>-<log>-<event>`. The last two parts are hashes of the creation time of the log and
 * of the event's `ce-id`: another log, or one that was rolled back, has another event at the sequence. Earlier versions
 * sent the sequence only.
 */
export interface EventId {
  readonly seq: number;
  readonly log?: string;
  readonly event?: string;
}

const HASH_DIGITS = 8;
const FORMAT = /^(\d{1,15})(?:-([0-9a-f]{8})-([0-9a-f]{8}))?$/;

/** @param created creation time of the log */
export function eventIdOf(created: string, message: Pick<StoredMessage, 'seq' | 'header'>): Required<EventId> {
  return { seq: message.seq, log: logHash(created), event: hashOf(message.header(HEADERS.id) ?? '') };
}

/** The hash of a log in event ids. */
export const logHash = (created: string): string => hashOf(created);

export const formatEventId = ({ seq, log, event }: Required<EventId>): string => `${seq}-${log}-${event}`;

/** Parses the value of `Last-Event-ID`; undefined if it is not an event id. */
export function parseEventId(text: string): EventId | undefined {
  const [, seq, log, event] = FORMAT.exec(text) ?? [];
  if (seq === undefined) return undefined;
  return { seq: Number(seq), ...defined({ log, event }) };
}

const hashOf = (text: string): string => hash('sha256', text).slice(0, HASH_DIGITS);
