/** The usual name for reading a file that may be missing. */
export default { identifiers: { readIfThere: 'readIfExists' } };
