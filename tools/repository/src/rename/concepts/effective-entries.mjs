/** The entries that are still in effect after invalidations. `standing` has other meanings. */
export default {
  identifiers: { standingEntries: 'effectiveEntries' },
  files: { 'libs/journal/src/state/standing-entries.ts': 'libs/journal/src/state/effective-entries.ts' },
};
