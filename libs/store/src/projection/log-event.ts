import {
  type AnyEvent,
  channelOf,
  HEADERS,
  type Problem,
  parseEvent,
  parseEventSubject,
  problemOf,
  ReinsError,
  subjectTypeOf,
} from '@reins/contracts';

/** A message of the event log. A structural type, so that this module needs no connection. */
export interface LogMessage {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
  /** Time the stream stored it. */
  readonly time: Date;
  header(name: string): string | undefined;
}

/** A fact, signal or directive with its sequence in the event log. */
export interface LogEvent {
  /** CloudEvents id. */
  readonly id: string;
  readonly seq: number;
  readonly subject: string;
  readonly source: string;
  /** RFC 3339, UTC, to the millisecond. */
  readonly time: string;
  /** For facts: version of the journal entry that the fact is derived from. */
  readonly version?: number;
  readonly causation?: string;
  readonly body: AnyEvent;
}

/** A message of the event log that is not a valid event. */
export interface UnreadableMessage {
  readonly seq: number;
  readonly subject: string;
  readonly id?: string;
  readonly time: string;
  readonly problem: Problem;
}

export type LogItem = { readonly event: LogEvent } | { readonly unreadable: UnreadableMessage };

/**
 * Reads a message of the event log. An invalid event becomes an unreadable message; never throws.
 * @param data the body, if the message only references it
 */
export function readLogMessage(message: LogMessage, data: Uint8Array = message.data): LogItem {
  try {
    return { event: logEvent(message, data) };
  } catch (error) {
    return { unreadable: unreadableMessage(message, problemOf(error)) };
  }
}

export function unreadableMessage(
  message: Pick<LogMessage, 'seq' | 'subject' | 'time' | 'header'>,
  problem: Problem,
): UnreadableMessage {
  const id = message.header(HEADERS.id);
  return { seq: message.seq, subject: message.subject, ...(id && { id }), time: message.time.toISOString(), problem };
}

function logEvent(message: LogMessage, data: Uint8Array): LogEvent {
  const body = parseEvent(data);
  const address = parseEventSubject(message.subject);
  if (
    channelOf(body.type) === 'inbox' ||
    address?.type !== subjectTypeOf(body) ||
    address.requestId !== body.requestId
  ) {
    throw invalidMessage(`a ${body.type} of ${body.requestId} does not belong on ${message.subject}`, 'type');
  }
  const id = message.header(HEADERS.id);
  if (!id) throw invalidMessage('the message has no id', HEADERS.id);
  const version = Number(message.header(HEADERS.version));
  const causation = message.header(HEADERS.causation);
  return {
    id,
    seq: message.seq,
    subject: message.subject,
    source: message.header(HEADERS.source) ?? '',
    time: eventTime(message),
    ...(Number.isSafeInteger(version) && version > 0 && { version }),
    ...(causation && { causation }),
    body,
  };
}

/** Returns the time of the event according to its sender, or the storage time if that is not valid. */
export function eventTime(message: Pick<LogMessage, 'time' | 'header'>): string {
  const eventTime = Date.parse(message.header(HEADERS.time) ?? '');
  return (Number.isNaN(eventTime) ? message.time : new Date(eventTime)).toISOString();
}

const invalidMessage = (message: string, path: string): ReinsError =>
  new ReinsError({ code: 'message_invalid', message, path });
