/** The entries of a corrupted journal before the first invalid one. */
export default {
  identifiers: { standing: 'validPrefix' },
  in: ['libs/journal/src/store/*.ts', 'services/control-bus/src/run/run-actor.ts', 'tools/cli/src/requests/repair.ts'],
};
