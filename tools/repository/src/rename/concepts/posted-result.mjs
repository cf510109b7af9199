/** The result that a client posted for an effect. */
export default {
  identifiers: { Posted: 'PostedResult' },
  in: ['libs/replay/**/*.ts', 'tools/cli/src/runs/*.ts'],
};
