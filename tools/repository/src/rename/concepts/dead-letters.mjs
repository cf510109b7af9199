/** A message that cannot be handled goes to the dead-letter stream, as in every message broker. */
export default {
  identifiers: { bury: 'deadLetter' },
  files: { 'libs/bus/src/dead/bury.ts': 'libs/bus/src/dead/dead-letter.ts' },
};
