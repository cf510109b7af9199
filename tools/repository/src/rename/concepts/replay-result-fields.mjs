/** The report of `reins replay` keeps its JSON fields `standing` and `owed`, and reads them from the renamed fields of a replay. */
export default {
  texts: {
    'const { divergence, decisions, state, owed, standing } = replay;':
      'const { divergence, decisions, state, unrecorded: owed, processState: standing } = replay;',
  },
  in: ['tools/cli/src/runs/replay.ts'],
};
