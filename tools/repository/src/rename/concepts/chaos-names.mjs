/** Plain names for the helpers of the chaos and end-to-end tests. */
export default {
  identifiers: {
    persistently: 'retryUntilAnswered',
    Persisted: 'RetriedAnswer',
    UserOf: 'AnsweredRequest',
    Witnesses: 'EvidenceSources',
    Sighting: 'Leak',
    Disturbed: 'FaultPhase',
    disturb: 'injectFaults',
    Watch: 'Stopwatch',
    Said: 'CommandResult',
    healed: 'waitUntilReady',
  },
  files: {
    'tools/chaos/src/load/persistently.ts': 'tools/chaos/src/load/retry-until-answered.ts',
    'tools/chaos/src/testing/road.ts': 'tools/chaos/src/testing/submit-request.ts',
    'tools/chaos/src/road.e2e.spec.ts': 'tools/chaos/src/end-to-end.e2e.spec.ts',
  },
  texts: { '`trace`, `road`, `poison`': '`trace`, `end-to-end`, `poison`' },
  in: ['tools/chaos/**', 'docs/**'],
};
