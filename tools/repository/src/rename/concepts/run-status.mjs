/** The status of a run in one word, with its reason: `standing` is no term for that. */
export default {
  identifiers: { standingOf: 'runStatusOf' },
};
