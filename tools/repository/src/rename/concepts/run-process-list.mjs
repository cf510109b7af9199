/** The function lists the processes that carry a run token; it does not run them. */
export default {
  identifiers: { runProcesses: 'listRunProcesses', onThisMachine: 'listAllRunProcesses' },
};
