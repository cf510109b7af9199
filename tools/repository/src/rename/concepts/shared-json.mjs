/** Immutable values that are part of many documents: their JSON, their redacted copy and their hash are computed once. */
export default {
  in: ['libs/runtime-config/**'],
  identifiers: {
    comesAgain: 'markShared',
    isMarked: 'isShared',
    sharedHash: 'memoizedHash',
    perPlan: 'memoizePerPlan',
    MOST_TEXTS: 'MAX_TEXTS',
    MOST_NAMES: 'MAX_NAMES',
  },
};
