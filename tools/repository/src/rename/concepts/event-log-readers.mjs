/** "Handlers" are functions that handle a message type. These classes run a read loop over the event log. */
export default {
  identifiers: { NarratorHandlers: 'NarratorReader', ProjectorHandlers: 'ProjectorConsumer' },
  files: {
    'services/narrator/src/narrator.handlers.ts': 'services/narrator/src/narrator.reader.ts',
    'services/projector/src/projector.handlers.ts': 'services/projector/src/projector.consumer.ts',
  },
};
