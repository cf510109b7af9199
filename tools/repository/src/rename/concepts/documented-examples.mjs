/** What the comments of the examples in docs/processes.md say about the run, in the words of the guide. */
export default {
  texts: { 'goes on as after': 'continues with after' },
};
