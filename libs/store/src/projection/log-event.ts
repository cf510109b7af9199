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

/** A message as it lies in the log. Structural, so that this module needs no connection. */
export interface LogMessage {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
  /** When the stream took it. */
  readonly time: Date;
  header(name: string): string | undefined;
}

/** A fact, signal or directive with its place in the log. */
export interface LogEvent {
  /** Its CloudEvents id. */
  readonly id: string;
  readonly seq: number;
  readonly subject: string;
  readonly source: string;
  /** RFC 3339, UTC, to the millisecond. */
  readonly time: string;
  /** Of facts: the journal entry that it follows from. */
  readonly version?: number;
  readonly causation?: string;
  readonly body: AnyEvent;
}

/** A message of the log that is none of the catalogue. */
export interface UnreadableMessage {
  readonly seq: number;
  readonly subject: string;
  readonly id?: string;
  readonly time: string;
  readonly problem: Problem;
}

export type LogItem = { readonly event: LogEvent } | { readonly unreadable: UnreadableMessage };

/**
 * Reads a message of the log; what is no event of the catalogue becomes an unreadable one, never an exception.
 * @param data the body, where the message only refers to it
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
    throw refusal(`a ${body.type} of ${body.requestId} does not belong on ${message.subject}`, 'type');
  }
  const id = message.header(HEADERS.id);
  if (!id) throw refusal('the message has no id', HEADERS.id);
  const version = Number(message.header(HEADERS.version));
  const causation = message.header(HEADERS.causation);
  return {
    id,
    seq: message.seq,
    subject: message.subject,
    source: message.header(HEADERS.source) ?? '',
    time: timeOf(message),
    ...(Number.isSafeInteger(version) && version > 0 && { version }),
    ...(causation && { causation }),
    body,
  };
}

/** When it happened, as its sender says; when it was stored, where that is no time. */
function timeOf(message: LogMessage): string {
  const told = Date.parse(message.header(HEADERS.time) ?? '');
  return (Number.isNaN(told) ? message.time : new Date(told)).toISOString();
}

const refusal = (message: string, path: string): ReinsError =>
  new ReinsError({ code: 'message_invalid', message, path });
