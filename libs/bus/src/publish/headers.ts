import { MsgHdrsImpl } from '@nats-io/nats-core';
import { EXTENSION_HEADERS, HEADERS, ReinsError, type TraceHeaders } from '@reins/contracts';

/** CloudEvents 1.0 headers in binary mode, and the headers that Reins adds. */
export interface EventHeaders extends TraceHeaders {
  /** `ce-id` and `Nats-Msg-Id`. */
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** RFC 3339. */
  readonly time: string;
  /** `reins-causation`: id of the event that caused this one. */
  readonly causation?: string;
  /** `reins-version`: version of the journal entry that the fact is derived from. */
  readonly version?: number;
  /** `reins-repaired`: the fact was missing, and is published late. */
  readonly repaired?: boolean;
  /** `reins-reply`: inbox subject for the answer. */
  readonly reply?: string;
}

/** Additional headers, by their wire names. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** Headers that control the server. */
export const HEADER = {
  msgId: HEADERS.messageId,
  expectedLastSubjectSeq: 'Nats-Expected-Last-Subject-Sequence',
  ttl: 'Nats-TTL',
  schedule: 'Nats-Schedule',
  scheduleTarget: 'Nats-Schedule-Target',
} as const;

const LINE_BREAK = /[\r\n]/;

/** Encodes one header line. Rejects a line break in the value, which would allow header injection. */
function line(name: string, value: string): string {
  if (!LINE_BREAK.test(value)) return `${name}: ${value}\r\n`;
  throw new ReinsError({ code: 'message_invalid', message: 'a header value contains a line break', path: name });
}

/** Encodes a header of Reins under its own name and as an extension attribute of CloudEvents. */
const extension = (name: keyof typeof EXTENSION_HEADERS, value: string): string =>
  line(name, value) + line(EXTENSION_HEADERS[name], value);

const START = 'NATS/1.0\r\n';
/** The headers that are the same on every event. */
const FIXED = `${HEADERS.specVersion}: 1.0\r\n${HEADERS.contentType}: application/json\r\n`;

/** Encodes the headers of an event for the wire. */
export function encodeEventHeaders(event: EventHeaders, extra?: ExtraHeaders): Uint8Array {
  let text = START + line(HEADER.msgId, event.id) + line(HEADERS.id, event.id) + line(HEADERS.type, event.type);
  text += line(HEADERS.source, event.source) + line(HEADERS.time, event.time) + FIXED;
  if (event.traceparent !== undefined) text += extension(HEADERS.trace, event.traceparent);
  if (event.tracestate !== undefined) text += extension(HEADERS.traceState, event.tracestate);
  if (event.causation !== undefined) text += extension(HEADERS.causation, event.causation);
  if (event.version !== undefined) text += extension(HEADERS.version, String(event.version));
  if (event.repaired) text += extension(HEADERS.repaired, 'true');
  if (event.reply !== undefined) text += extension(HEADERS.reply, event.reply);
  return finish(text, extra);
}

/** Encodes plain headers for the wire. */
export function encodeHeaders(headers: ExtraHeaders): Uint8Array {
  return finish(START, headers);
}

function finish(start: string, extra: ExtraHeaders | undefined): Uint8Array {
  let text = start;
  for (const name in extra) text += line(name, extra[name] as string);
  return Buffer.from(`${text}\r\n`, 'utf8');
}

/**
 * Decodes the event headers of a message. A missing required header is an empty string; a missing optional header is
 * absent.
 */
export function decodeEventHeaders(header: (name: string) => string | undefined): EventHeaders {
  const version = header(HEADERS.version);
  return {
    id: header(HEADERS.id) ?? header(HEADER.msgId) ?? '',
    type: header(HEADERS.type) ?? '',
    source: header(HEADERS.source) ?? '',
    time: header(HEADERS.time) ?? '',
    ...optional('traceparent', header(HEADERS.trace)),
    ...optional('tracestate', header(HEADERS.traceState)),
    ...optional('causation', header(HEADERS.causation)),
    ...(version !== undefined && /^\d+$/.test(version) ? { version: Number(version) } : {}),
    ...(header(HEADERS.repaired) === 'true' && { repaired: true }),
    ...optional('reply', header(HEADERS.reply)),
  };
}

const optional = <K extends string>(key: K, value: string | undefined): { [P in K]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: string };

/**
 * Passes an encoded header block to the client, which calls `encode()` while it publishes. Each publisher reuses one
 * instance.
 */
export class HeaderCarrier extends MsgHdrsImpl {
  encodedHeaders: Uint8Array = new Uint8Array();

  override encode(): Uint8Array {
    return this.encodedHeaders;
  }
}
