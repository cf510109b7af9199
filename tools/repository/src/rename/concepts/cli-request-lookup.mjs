/** A request can be looked up only where an installation is known. */
export default {
  identifiers: { assertKnowable: 'assertCanLookUp' },
  files: { 'tools/cli/src/requests/known.ts': 'tools/cli/src/requests/lookup.ts' },
  in: ['tools/cli/src/**/*.ts'],
};
