export { blobValues } from './blob-values.ts';
export { type BusJournals, type BusJournalsOptions, openBusJournals } from './bus-journals.ts';
export { openCheckpoints } from './checkpoint-store.ts';
export { journalPort } from './journal-port.ts';
export { type JournalVerdict, verifyBusJournal } from './verify-bus-journal.ts';
