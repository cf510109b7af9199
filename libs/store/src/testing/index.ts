/** For tests alone: the recorded log of a run. */
export * from './recorded-run.ts';
