/** Fields of the trace of a fact: how long it took, and which effects were cancelled without a fact. */
export default {
  identifiers: { lasted: 'interval', silent: 'unreported' },
  in: ['libs/journal/src/facts/*.ts', 'services/control-bus/src/run/run-trace.ts'],
};
