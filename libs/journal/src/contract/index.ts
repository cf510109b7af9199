/** What a journal store must do, as cases that every implementation runs in its own tests. */
export { type JournalStoreCase, journalStoreContract, type StoreUnderTest } from './journal-store-contract.ts';
