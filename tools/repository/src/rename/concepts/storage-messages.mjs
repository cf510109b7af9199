/** Messages of file system errors, as tests of other packages quote them. */
export default {
  texts: { 'a folder stands where a file is wanted': 'is a folder, not a file' },
};
