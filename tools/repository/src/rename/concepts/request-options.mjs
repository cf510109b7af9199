/** What a request has next to its input: attachments, model, stages, metadata. */
export default {
  identifiers: {
    RequestWords: 'RequestOptions',
    wordsOf: 'requestOptionsOf',
    RequestGiven: 'ProcessRequest',
    requestIn: 'requestOfRun',
    beginningOf: 'processInputsOf',
    takesInputAsGiven: 'takesRawInput',
  },
  in: ['services/control-bus/**', 'tools/cli/src/requests/**'],
};
