import { MsgHdrsImpl } from '@nats-io/nats-core';
import { HEADERS, ReinsError } from '@reins/contracts';

/** CloudEvents 1.0 in binary mode, and what Reins adds to it. */
export interface EventHeaders {
  /** `ce-id` and `Nats-Msg-Id`. */
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** RFC 3339. */
  readonly time: string;
  readonly traceparent?: string;
  /** `reins-causation`: the id of the event that caused this one. */
  readonly causation?: string;
  /** `reins-version`: the journal entry that a fact follows from. */
  readonly version?: number;
  /** `reins-reply`: the inbox subject that an answer goes to. */
  readonly reply?: string;
}

/** Further headers, by their names on the wire. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** Headers that tell the server what to do with a message. */
export const HEADER = {
  msgId: HEADERS.messageId,
  expectedLastSubjectSeq: 'Nats-Expected-Last-Subject-Sequence',
  ttl: 'Nats-TTL',
  schedule: 'Nats-Schedule',
  scheduleTarget: 'Nats-Schedule-Target',
} as const;

const LINE_BREAK = /[\r\n]/;

/** One header line. A line break in a value would let it smuggle in headers of its own. */
function line(name: string, value: string): string {
  if (!LINE_BREAK.test(value)) return `${name}: ${value}\r\n`;
  throw new ReinsError({ code: 'message_invalid', message: 'a header value has a line break', path: name });
}

const START = 'NATS/1.0\r\n';
const SPEC_VERSION = `${HEADERS.specVersion}: 1.0\r\n`;

/** The block of an event's headers, ready for the wire. */
export function encodeEventHeaders(event: EventHeaders, extra?: ExtraHeaders): Uint8Array {
  let text = START + line(HEADER.msgId, event.id) + line(HEADERS.id, event.id) + line(HEADERS.type, event.type);
  text += line(HEADERS.source, event.source) + line(HEADERS.time, event.time) + SPEC_VERSION;
  if (event.traceparent !== undefined) text += line(HEADERS.trace, event.traceparent);
  if (event.causation !== undefined) text += line(HEADERS.causation, event.causation);
  if (event.version !== undefined) text += line(HEADERS.version, String(event.version));
  if (event.reply !== undefined) text += line(HEADERS.reply, event.reply);
  return finish(text, extra);
}

/** The block of plain headers. */
export function encodeHeaders(headers: ExtraHeaders): Uint8Array {
  return finish(START, headers);
}

function finish(start: string, extra: ExtraHeaders | undefined): Uint8Array {
  let text = start;
  for (const name in extra) text += line(name, extra[name] as string);
  return Buffer.from(`${text}\r\n`, 'utf8');
}

/** The event headers of a message that has come; what is missing is an empty string, or absent where it may be. */
export function decodeEventHeaders(header: (name: string) => string | undefined): EventHeaders {
  const version = header(HEADERS.version);
  return {
    id: header(HEADERS.id) ?? header(HEADER.msgId) ?? '',
    type: header(HEADERS.type) ?? '',
    source: header(HEADERS.source) ?? '',
    time: header(HEADERS.time) ?? '',
    ...optional('traceparent', header(HEADERS.trace)),
    ...optional('causation', header(HEADERS.causation)),
    ...(version !== undefined && /^\d+$/.test(version) ? { version: Number(version) } : {}),
    ...optional('reply', header(HEADERS.reply)),
  };
}

const optional = <K extends string>(key: K, value: string | undefined): { [P in K]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: string };

/**
 * Hands a block that is encoded already to the client, which encodes headers while it publishes. One per publisher,
 * reused.
 */
export class HeaderCarrier extends MsgHdrsImpl {
  block: Uint8Array = new Uint8Array();

  override encode(): Uint8Array {
    return this.block;
  }
}
