/** The request log of the scripted model holds logged requests. */
export default {
  identifiers: {
    SeenRequest: 'LoggedRequest',
    countedIds: 'sequentialIds',
    foundIn: 'matchesText',
    fitCall: 'matchCall',
    FittedCall: 'MatchedCall',
    forgetFailures: 'resetFailures',
    EXIT_WRONG_USE: 'EXIT_USAGE',
  },
  in: ['libs/scripted-model/**', 'tools/chaos/**'],
};
