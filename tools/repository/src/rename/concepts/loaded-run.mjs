/** A run or a request that was loaded from its journal is named after what it is, not after the act of reading. */
export default {
  identifiers: { RunReading: 'LoadedRun', TaskReading: 'LoadedTasks', RequestReading: 'LoadedRequest' },
  files: { 'libs/run-directory/src/report/run-reading.ts': 'libs/run-directory/src/report/loaded-run.ts' },
};
