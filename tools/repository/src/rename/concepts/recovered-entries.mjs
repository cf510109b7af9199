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
    'libs/run-directory/src/repair/lost-starts.ts': 'libs/run-directory/src/repair/missing-restarts.ts',
    'libs/run-directory/src/repair/rescue.ts': 'libs/run-directory/src/repair/recovered-results.ts',
    'libs/run-directory/src/repair/reconstruct-journal.ts': 'libs/run-directory/src/repair/recover-lost-journal.ts',
    'libs/run-directory/src/repair/recover.ts': 'libs/run-directory/src/repair/remove-process-error.ts',
  },
};
