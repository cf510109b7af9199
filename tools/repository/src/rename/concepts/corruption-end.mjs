/** `sealEntries` means numbering and hash-chaining. The end of a corrupted run had the same word. */
export default {
  identifiers: { isSeal: 'isCorruptionEnd', sealingEntries: 'corruptionEnd', sealingIssues: 'corruptionEndIssues' },
};
