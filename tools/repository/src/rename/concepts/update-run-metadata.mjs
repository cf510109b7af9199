/** Sets fields of run.json. */
export default {
  identifiers: { noteMetadata: 'updateRunMetadata' },
};
