/** A failed delivery is classified as retryable or dead, as in every message broker. */
export default {
  identifiers: { judgeFailure: 'classifyFailure' },
};
