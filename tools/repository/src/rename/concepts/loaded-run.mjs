/** A run or a request that was loaded from its journal is named after what it is, not after the act of reading. */
export default {
  identifiers: { RunReading: 'LoadedRun', TaskReading: 'LoadedTasks', RequestReading: 'LoadedRequest' },
  files: { 'libs/journal/src/rundir/report/run-reading.ts': 'libs/journal/src/rundir/report/loaded-run.ts' },
};
