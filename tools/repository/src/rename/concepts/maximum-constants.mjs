/** Limits are called minimum and maximum everywhere. */
export default {
  identifiers: {
    MOST_FILES: 'MAX_FILES',
    MOST_LINES: 'MAX_LINES',
    MOST_LOADS: 'MAX_LOADS',
    MOST_PARSERS: 'MAX_PARSERS',
    MOST_PROBLEMS: 'MAX_PROBLEMS',
    MOST_RESTARTS: 'MAX_RESTARTS',
    MOST_MS: 'MAX_MS',
    LEAST_MS: 'MIN_MS',
  },
};
