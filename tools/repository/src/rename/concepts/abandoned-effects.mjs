/** The process of a cancelled run no longer waits for some of its effects: they are abandoned, and cancelled. */
export default {
  identifiers: {
    letGo: 'cancelAbandonedEffects',
    ProcessWants: 'ProcessView',
    unwound: 'continueCancellation',
    endCancelled: 'runCancelled',
  },
  files: {
    'services/control-bus/src/run/letting-go.spec.ts': 'services/control-bus/src/run/abandoned-effects.spec.ts',
  },
  in: ['services/control-bus/**', 'docs/**', '*.md'],
};
