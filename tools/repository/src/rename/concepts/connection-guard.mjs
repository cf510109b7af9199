/** NATS calls the link between a client and a server a connection; an outcome that may be tried again is retryable. */
export default {
  in: [
    'libs/bus/src/connection/*.ts',
    'libs/bus/src/publish/{appender,ordered-publisher,pub-ack,pub-ack.spec,headers,reply-inbox}.ts',
  ],
  identifiers: {
    LinkGuard: 'ConnectionGuard',
    link: 'connection',
    intact: 'isSameConnection',
    block: 'encodedHeaders',
    LATER: 'NO_STREAM',
  },
  files: { 'libs/bus/src/connection/link-guard.ts': 'libs/bus/src/connection/connection-guard.ts' },
  texts: {
    "kind: 'later'": "kind: 'retryable'",
    "kind === 'later'": "kind === 'retryable'",
    "'stored', 'later', 'refused'": "'stored', 'retryable', 'refused'",
  },
};
