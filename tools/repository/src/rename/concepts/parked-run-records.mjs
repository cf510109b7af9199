/** The function returns the records in a bucket, not a bucket. */
export default {
  in: ['services/control-bus/**', 'tools/simulation/**'],
  identifiers: { bucketOfParkedRuns: 'parkedRunsIn' },
};
