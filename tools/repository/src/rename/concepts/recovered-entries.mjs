/**
 * One word for each kind of repair of a run directory: a journal is repaired, a lost entry is recovered from other files,
 * and derived files are rebuilt from the journal. The error of a process is removed.
 */
export default {
  in: ['libs/journal/src/rundir/**', 'libs/journal/README.md', 'tools/cli/src/runs/maintenance.ts'],
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
    'libs/journal/src/rundir/lost-starts.ts': 'libs/journal/src/rundir/missing-restarts.ts',
    'libs/journal/src/rundir/rescue.ts': 'libs/journal/src/rundir/recovered-results.ts',
    'libs/journal/src/rundir/reconstruct-journal.ts': 'libs/journal/src/rundir/recover-lost-journal.ts',
    'libs/journal/src/rundir/recover.ts': 'libs/journal/src/rundir/remove-process-error.ts',
  },
};
