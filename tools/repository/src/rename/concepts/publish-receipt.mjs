/** What a stream returns for a message that it has stored: stream, sequence and whether it was a duplicate. */
export default {
  identifiers: { Stored: 'PublishReceipt' },
  in: ['libs/bus/**', 'tools/simulation/**'],
};
