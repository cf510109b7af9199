/** A problem that was found is called that, not "wrong". */
export default {
  in: [
    'libs/journal/src/bus/verify-bus-journal.ts',
    'libs/run-directory/src/store/run-directory-store.ts',
    'libs/run-directory/src/views/rebuild.ts',
  ],
  identifiers: { wrong: 'problem', isOurs: 'isWrittenByReins' },
};
