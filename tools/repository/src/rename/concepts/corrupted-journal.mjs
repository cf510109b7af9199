/** `journal_corrupt` is the error code, so a journal is corrupted, and the error class says that it is an error. */
export default {
  identifiers: { DamagedJournal: 'CorruptedJournalError' },
  files: { 'libs/journal/src/store/damaged-journal.ts': 'libs/journal/src/store/corrupted-journal-error.ts' },
};
