/** How many commits are read before a checkpoint is looked up. */
export default {
  identifiers: { lookAfter: 'checkpointThreshold' },
  in: ['libs/journal/**/*.ts', 'tools/simulation/**/*.ts'],
};
