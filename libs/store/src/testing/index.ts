/** For tests only: the recorded events of a run. */
export * from './recorded-run.ts';
