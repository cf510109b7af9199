/** Numbers and chains entries again, as a journal of their own. */
export default {
  identifiers: { chained: 'rechainEntries' },
  in: ['libs/replay/**/*.ts', 'services/control-bus/src/run/*.ts'],
};
