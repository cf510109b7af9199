/** Returns why an entry cannot be the next one of a journal. */
export default {
  identifiers: { wrongAsNext: 'validateNextEntry' },
  files: { 'libs/journal/src/state/legal-entry.ts': 'libs/journal/src/state/validate-next-entry.ts' },
};
