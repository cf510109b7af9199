/** Moves large values out of journal entries into the blob store, leaving references. */
export default {
  identifiers: {
    withSmallValue: 'offloadLargeValue',
    withSmallValues: 'offloadLargeValues',
    withAnySmallValue: 'offloadAnyLargeValue',
  },
};
