/** The end of a run that somebody other than its process recorded, and the journal line that marks it. */
export default {
  identifiers: { sealOf: 'externalEndMark' },
};
