import { defined } from './defined.ts';
/** Header names of bus messages: CloudEvents 1.0 in binary mode, trace context, and those of Reins. */
export const HEADERS = {
  id: 'ce-id',
  type: 'ce-type',
  source: 'ce-source',
  time: 'ce-time',
  specVersion: 'ce-specversion',
  contentType: 'ce-datacontenttype',
  trace: 'traceparent',
  traceState: 'tracestate',
  messageId: 'Nats-Msg-Id',
  /** Id of the event that caused this one. */
  causation: 'reins-causation',
  /** On facts: version of the journal entry that the fact is derived from. */
  version: 'reins-version',
  /** On facts that were missing in the event log and were published late: `true`. */
  repaired: 'reins-repaired',
  /** On requests: subject of the answer, see `replySubject`. */
  reply: 'reins-reply',
} as const;

/**
 * The headers of Reins as extension attributes of CloudEvents, so that a consumer with an SDK of CloudEvents reads them.
 * Each message carries both names with the same value.
 */
export const EXTENSION_HEADERS = {
  [HEADERS.trace]: 'ce-traceparent',
  [HEADERS.traceState]: 'ce-tracestate',
  [HEADERS.causation]: 'ce-causation',
  [HEADERS.version]: 'ce-version',
  [HEADERS.repaired]: 'ce-repaired',
  [HEADERS.reply]: 'ce-reply',
} as const;

/** The W3C trace context of a message, a command or a run. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** The trace context of something, for what follows from it. */
export const traceHeadersOf = ({ traceparent, tracestate }: TraceHeaders): TraceHeaders =>
  defined({ traceparent, tracestate });
