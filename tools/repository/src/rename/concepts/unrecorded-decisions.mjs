/** What a process decides after the last entry is not recorded yet. The JSON field `owed` of `reins replay` keeps its name. */
export default {
  identifiers: { owed: 'unrecorded' },
  in: ['libs/replay/src/local/*.ts', 'services/control-bus/src/run/assign.spec.ts', 'tools/cli/src/runs/iterate.ts'],
};
