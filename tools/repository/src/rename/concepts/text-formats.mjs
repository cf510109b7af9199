/** A pattern that describes the format of a text. */
export default {
  in: [
    'libs/service-kit/src/keys/api-key.ts',
    'services/gateway/src/events/event-id.ts',
    'services/harness-host/src/stage/session-ref.ts',
  ],
  identifiers: { FORM: 'FORMAT' },
};
