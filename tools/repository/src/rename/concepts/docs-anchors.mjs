/** Headings of the docs that were renamed, and the links to them. */
export default {
  texts: { 'benchmarks.md#beside-others': 'benchmarks.md#compared-with-other-systems' },
};
