/** `run:rebuild-state` compares a request as the API shows it with the same request computed from its journal. */
export default {
  identifiers: {
    ToldOfRequest: 'ComparableRequest',
    toldByJournal: 'requestFromJournal',
    toldByApi: 'requestFromApi',
  },
  files: { 'tools/cli/src/requests/told.ts': 'tools/cli/src/requests/comparable-request.ts' },
  in: ['tools/cli/src/**/*.ts'],
};
