/** Header names of messages on the bus: CloudEvents 1.0 binary mode, trace context, and our own. */
export const HEADERS = {
  id: 'ce-id',
  type: 'ce-type',
  source: 'ce-source',
  time: 'ce-time',
  specVersion: 'ce-specversion',
  trace: 'traceparent',
  messageId: 'Nats-Msg-Id',
  /** The id of the event that caused this one. */
  causation: 'reins-causation',
  /** On facts: the version of the journal entry they follow from. */
  version: 'reins-version',
  /** On requests: where the answer goes, see `replySubject`. */
  reply: 'reins-reply',
} as const;
