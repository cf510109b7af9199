/** The contract of a journal store, as test cases that every implementation runs. */
export { type JournalStoreCase, journalStoreContract, type StoreUnderTest } from './journal-store-contract.ts';
