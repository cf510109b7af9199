/** The answer of an attempt is stored in its claim. */
export default {
  identifiers: { KeptAnswer: 'StoredAnswer' },
};
