/** What a decision depends on, next to the state of the run and the trigger. */
export default {
  identifiers: {
    Circumstances: 'DecisionContext',
    circumstances: 'context',
    isLetGo: 'isAbandoned',
    awaited: 'awaitedEffect',
  },
  files: { 'services/control-bus/src/run/circumstances.ts': 'services/control-bus/src/run/decision-context.ts' },
  in: ['services/control-bus/src/run/**', 'docs/**', '*.md'],
};
