/** Run directories are a library of their own. */
export default { texts: { '@reins/journal/rundir': '@reins/run-directory' } };
