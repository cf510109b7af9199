/** A recorded journal, or its first entries, to replay a process against. */
export default {
  identifiers: { Recorded: 'RecordedJournal' },
  in: ['libs/replay/**/*.ts', 'tools/cli/src/requests/replay.ts'],
};
