/** Header names of bus messages: CloudEvents 1.0 in binary mode, trace context, and those of Reins. */
export const HEADERS = {
  id: 'ce-id',
  type: 'ce-type',
  source: 'ce-source',
  time: 'ce-time',
  specVersion: 'ce-specversion',
  contentType: 'ce-datacontenttype',
  trace: 'traceparent',
  messageId: 'Nats-Msg-Id',
  /** Id of the event that caused this one. */
  causation: 'reins-causation',
  /** On facts: version of the journal entry that the fact is derived from. */
  version: 'reins-version',
  /** On requests: subject of the answer, see `replySubject`. */
  reply: 'reins-reply',
} as const;

/**
 * The headers of Reins as extension attributes of CloudEvents, so that a consumer with an SDK of CloudEvents reads them.
 * Each message carries both names with the same value.
 */
export const EXTENSION_HEADERS = {
  [HEADERS.trace]: 'ce-traceparent',
  [HEADERS.causation]: 'ce-causation',
  [HEADERS.version]: 'ce-version',
  [HEADERS.reply]: 'ce-reply',
} as const;
