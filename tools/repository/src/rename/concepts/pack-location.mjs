/** Where the bytes of a small file are stored: a pack, an offset and a size. */
export default {
  in: ['libs/workspace-tree/src/store/**'],
  identifiers: { Place: 'PackLocation' },
};
