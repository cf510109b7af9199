/** Files and types of the run commands are named after the commands that they implement. */
export default {
  identifiers: { OperateFlags: 'DryRunFlags', Replayed: 'ReplayResult', firstOf: 'firstEntries' },
  files: {
    'tools/cli/src/runs/operate.ts': 'tools/cli/src/runs/maintenance.ts',
    'tools/cli/src/runs/govern.ts': 'tools/cli/src/runs/assign-halt.ts',
    'tools/cli/src/runs/replayed.ts': 'tools/cli/src/runs/replay-result.ts',
  },
  in: ['tools/cli/src/**/*.ts'],
};
