/** What a repair keeps of a corrupted journal is recovered, not mended. The JSON field `mend` of errors is not meant. */
export default {
  identifiers: { Mended: 'RecoveredJournal', Wrong: 'EntryIssue', mended: 'recovered' },
  files: {
    'libs/journal/src/store/mend-commits.ts': 'libs/journal/src/store/recover-commits.ts',
    'libs/journal/src/store/mend-commits.spec.ts': 'libs/journal/src/store/recover-commits.spec.ts',
  },
  in: [
    'libs/journal/src/index.ts',
    'libs/journal/src/{store,archive,checkpoint}/*.ts',
    'services/control-bus/src/run/*.ts',
    'tools/cli/src/requests/repair.ts',
  ],
};
