/** What a coroutine is fed: entries, as they are or will be in the journal. */
export default {
  identifiers: { Fed: 'FedEntry' },
  in: ['libs/replay/**/*.ts', 'libs/sandbox/**/*.ts'],
};
