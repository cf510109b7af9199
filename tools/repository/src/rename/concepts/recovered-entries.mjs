/**
 * One word for each kind of repair of a run directory: a journal is repaired, a lost entry is recovered from other files,
 * and derived files are rebuilt from the journal. The error of a process is removed.
 */
export default {
  in: ['libs/run-directory/src/**', 'libs/journal/README.md', 'tools/cli/src/runs/maintenance.ts'],
  identifiers: {
    LostPlace: 'MissingEntry',
    lostPlaces: 'missingEntries',
    lostStarts: 'missingRestarts',
    isOtherProcess: 'hasUnrecordedProcess',
    Rescued: 'RecoveryReport',
    RescuedResults: 'RecoveredResults',
    rescuedFirstEntry: 'reportOfFirstEntry',
    rescuedOf: 'reportOf',
    ReconstructedEntry: 'RecoveredDraft',
    reconstructJournal: 'recoverLostJournal',
    reconstructFirstEntry: 'firstEntryDraft',
    reconstructed: 'recoveredDrafts',
    Recovery: 'RemovedProcessError',
    recoverProcessError: 'removeProcessError',
  },
  files: {
    'libs/run-directory/src/lost-starts.ts': 'libs/run-directory/src/missing-restarts.ts',
    'libs/run-directory/src/rescue.ts': 'libs/run-directory/src/recovered-results.ts',
    'libs/run-directory/src/reconstruct-journal.ts': 'libs/run-directory/src/recover-lost-journal.ts',
    'libs/run-directory/src/recover.ts': 'libs/run-directory/src/remove-process-error.ts',
  },
};
