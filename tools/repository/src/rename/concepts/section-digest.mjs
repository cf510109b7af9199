/** A hash and a length in the place of a text are a digest. */
export default {
  in: ['libs/runtime-config/**'],
  identifiers: {
    SectionPrint: 'SectionDigest',
    TextPrint: 'TextDigest',
    printOf: 'digestOf',
    textPrint: 'textDigest',
    prints: 'digests',
  },
};
