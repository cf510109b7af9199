/** Throws unless the effect can be invalidated. */
export default {
  identifiers: { invalidatable: 'requireInvalidatable' },
};
