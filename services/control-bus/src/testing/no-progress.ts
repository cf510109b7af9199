/** For journals without a reconciler. */
export const NO_PROGRESS = { appending: () => () => {}, appended: () => {}, archived: () => {}, settled: () => {} };
