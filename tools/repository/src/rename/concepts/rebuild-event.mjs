/** The projector publishes events about the progress of a rebuild. */
export default {
  identifiers: { RebuildNews: 'RebuildEvent' },
};
