/** Functions and files of the workspace compiler, named after what they check or produce. */
export default {
  in: ['libs/workspace-plan/**'],
  identifiers: {
    asFlag: 'parseFlag',
    own: 'ownProperty',
    malformedPlaceholder: 'hasMalformedPlaceholder',
    warnOfLostCharacters: 'warnAboutInvalidUtf8',
    lower: 'lowerInventory',
    Lowered: 'LoweredInventory',
    PATTERN_WORDS: 'PATTERN_DESCRIPTIONS',
    troubled: 'withMistakes',
  },
  files: {
    'libs/workspace-plan/src/lost-characters.ts': 'libs/workspace-plan/src/invalid-utf8.ts',
    'libs/workspace-plan/src/inventory/lower.ts': 'libs/workspace-plan/src/inventory/lower-inventory.ts',
    'libs/workspace-plan/src/compile/failure.ts': 'libs/workspace-plan/src/compile/report-failure.ts',
  },
};
