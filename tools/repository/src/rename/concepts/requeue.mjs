/** A message that a later message has to precede is put back into its queue. */
export default {
  identifiers: { givesWay: 'shouldRequeue' },
};
