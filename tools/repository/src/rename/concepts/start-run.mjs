/** A run is started; one that waits for its turn in the session has not started. */
export default {
  identifiers: { beginRun: 'startRun', beginFork: 'startFork', ForkBegun: 'ForkStart', NotBegun: 'RunNotStarted' },
  files: {
    'services/control-bus/src/run/begin-run.ts': 'services/control-bus/src/run/start-run.ts',
    'services/control-bus/src/run/begin-run.spec.ts': 'services/control-bus/src/run/start-run.spec.ts',
    'services/control-bus/src/run/begin-fork.ts': 'services/control-bus/src/run/start-fork.ts',
    'services/control-bus/src/run/not-begun.ts': 'services/control-bus/src/run/run-not-started.ts',
    'services/control-bus/src/run/brought-back.spec.ts': 'services/control-bus/src/run/restored-runs.spec.ts',
  },
};
