/** Work that runs in the process of the host. Without `Process`, `inHost` reads like a place in a network. */
export default {
  identifiers: { inHost: 'inProcessWork', InHostWork: 'InProcessWork', LIGHT_PLACES: 'IN_PROCESS_SLOTS' },
};
