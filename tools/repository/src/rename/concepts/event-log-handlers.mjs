/** "Handlers" are classes whose methods name what they handle: work (`@OnEvent`) or a stream (`@OnLog`). */
export default {
  identifiers: { NarratorReader: 'NarratorHandlers', ProjectorConsumer: 'ProjectorHandlers' },
  files: {
    'services/narrator/src/narrator.reader.ts': 'services/narrator/src/narrator.handlers.ts',
    'services/projector/src/projector.consumer.ts': 'services/projector/src/projector.handlers.ts',
    'services/harness-host/src/harness-host.handlers.ts': 'services/harness-host/src/slots/stage-intake.ts',
  },
};
