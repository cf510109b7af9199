/** For tests only: drafts of every kind, and arbitrary valid journals. */
export * from './journals.ts';
