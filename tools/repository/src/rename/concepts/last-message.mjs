/** The functions that read the last message of one subject, and of each subject that a filter matches. */
export default {
  identifiers: { lastOf: 'lastMessageOn', lastOfEach: 'lastMessagePerSubject' },
  files: {
    'libs/bus/src/read/last-of.ts': 'libs/bus/src/read/last-message-on.ts',
    'libs/bus/src/read/last-of-each.ts': 'libs/bus/src/read/last-message-per-subject.ts',
  },
  in: ['libs/bus/**', 'libs/service-kit/**', 'services/**', 'tools/**'],
};
