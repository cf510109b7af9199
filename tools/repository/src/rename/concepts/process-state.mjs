/** The state of a process after a run or a replay. The JSON field `standing` of `reins replay` keeps its name. */
export default {
  identifiers: { standing: 'processState' },
  in: [
    'libs/replay/{src,bench}/**/*.ts',
    'libs/sandbox/src/*.spec.ts',
    'services/control-bus/src/run/run-process.ts',
    'services/control-bus/src/run/assign.spec.ts',
    'tools/cli/src/requests/iterate.ts',
    'tools/cli/src/runs/{iterate,iteration-report}.ts',
  ],
};
