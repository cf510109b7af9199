/** A run whose next timer is in the stream needs no memory until the timer fires. */
export default {
  identifiers: { isAsleep: 'isDormant', asleepOf: 'dormantAmong', asleep: 'dormant' },
  in: [
    'services/control-bus/src/core.ts',
    'services/control-bus/src/partition/live-runs.ts',
    'tools/simulation/src/machine/live-run-indexes.ts',
  ],
};
