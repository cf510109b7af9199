/** Options and variables for timeouts and intervals have the usual names. Settings such as `startWithinMs` are public and stay. */
export default { identifiers: { withinMs: 'timeoutMs', everyMs: 'intervalMs' } };
