/** Header names of bus messages: CloudEvents 1.0 in binary mode, trace context, and those of Reins. */
export const HEADERS = {
  id: 'ce-id',
  type: 'ce-type',
  source: 'ce-source',
  time: 'ce-time',
  specVersion: 'ce-specversion',
  trace: 'traceparent',
  messageId: 'Nats-Msg-Id',
  /** Id of the event that caused this one. */
  causation: 'reins-causation',
  /** On facts: version of the journal entry that the fact is derived from. */
  version: 'reins-version',
  /** On requests: subject of the answer, see `replySubject`. */
  reply: 'reins-reply',
} as const;
