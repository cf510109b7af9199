/** Facts are published to EVENTS, and read back from there. */
export default {
  identifiers: {
    Teller: 'FactPublisher',
    BusTeller: 'BusFactPublisher',
    TellerOptions: 'FactPublisherOptions',
    teller: 'factPublisher',
    tell: 'publish',
    ToldOfRuns: 'RunFactReader',
    ToldEnd: 'TerminalFact',
    untold: 'unpublishedFacts',
  },
  files: {
    'services/control-bus/src/run/bus-teller.ts': 'services/control-bus/src/run/bus-fact-publisher.ts',
    'services/control-bus/src/partition/told-of-runs.ts': 'services/control-bus/src/partition/run-fact-reader.ts',
  },
  in: ['services/control-bus/**', 'tools/simulation/**', 'docs/**', '*.md'],
};
