/** A control message to a host has one name. It is not an order, which also means a sequence. */
export default {
  in: [
    'services/control-bus/src/run/publish/follow-ups.ts',
    'services/control-bus/src/run/run-ports.ts',
    'services/control-bus/src/run/lifecycle/run-actor.ts',
    'tools/simulation/src/machine/ports.ts',
    'tools/simulation/src/mutants.ts',
    'tools/simulation/src/server/server.ts',
    'tools/simulation/src/simulate.ts',
    'tools/simulation/src/world/workers.ts',
  ],
  identifiers: {
    HostOrder: 'HostControl',
    Order: 'HostControl',
    answerOrder: 'answerControl',
    order: 'control',
    onOrder: 'onControl',
  },
};
