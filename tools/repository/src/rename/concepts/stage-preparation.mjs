/** Steps of preparing a stage, named after what they do. */
export default {
  in: ['libs/runtime-config/**'],
  identifiers: {
    allOf: 'runAll',
    requireWords: 'requireInstruction',
    takeQuotedSkills: 'extractQuotedSkills',
    idleGrants: 'unusedGrants',
    openedBy: 'toolsOpenedBy',
    keepIfKnown: 'keepKnownPlaceholders',
    resolveFrom: 'resolveFromEnvironment',
    Fitted: 'FittedText',
    replay: 'runRecordedCase',
  },
  files: {
    'libs/runtime-config/src/prepare/all-of.ts': 'libs/runtime-config/src/prepare/run-all.ts',
  },
};
