/** The fields describe the current event log, not the rows that a rebuild keeps. */
export default { identifiers: { RetainedEvents: 'LogRange' } };
