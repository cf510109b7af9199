/** Plain names for what the simulation does to runs, and for what it finds. */
export default {
  identifiers: {
    speakToTheDead: 'sendLateCommands',
    speak: 'sendRandomCommands',
    helpEveryone: 'unblockRuns',
    leftBehind: 'unarchivedRuns',
    Misread: 'ReadMismatch',
    misread: 'mismatches',
    isRightlyLost: 'mayDiverge',
    authoredOf: 'authoredProcesses',
  },
  in: ['tools/simulation/src/**'],
};
