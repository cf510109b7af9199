/** Files that runner-prep adds to the tree of a stage: attachments, and the skills of the installation. */
export default {
  in: ['services/runner-prep/**'],
  identifiers: {
    LaidFile: 'AddedFile',
    withFiles: 'addFiles',
    whyNoText: 'unreadableReason',
    togetherMs: 'totalMs',
    enough: 'stopReading',
    ENOUGH: 'STOP',
  },
  files: {
    'services/runner-prep/src/staging/laid-files.ts': 'services/runner-prep/src/staging/added-files.ts',
  },
};
