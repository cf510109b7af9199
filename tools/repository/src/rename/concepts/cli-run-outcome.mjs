/** What `run:iterate` reports about a run: the outcome of an iteration, made from the state of the run. */
export default {
  identifiers: {
    Iterated: 'IterationResult',
    Standing: 'RunOutcome',
    standingReport: 'outcomeReport',
    Told: 'OutcomeSource',
    requestStanding: 'requestRunStatus',
  },
  files: { 'tools/cli/src/requests/standing.ts': 'tools/cli/src/requests/request-status.ts' },
  in: ['tools/cli/src/**/*.ts'],
};
