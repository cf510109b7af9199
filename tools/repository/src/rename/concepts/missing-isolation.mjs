/** What an isolation does not have, in words that are nouns. The field `lacks` is part of stored presence records. */
export default {
  in: ['libs/os-sandbox/**'],
  identifiers: { Lack: 'MissingIsolation', lacksOfLandlock: 'missingInLandlock' },
};
