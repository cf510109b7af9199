/** The entries that follow when the deadline of an effect has passed. */
export default {
  identifiers: { overdue: 'deadlineEntries' },
  files: { 'libs/replay/src/deadlines/overdue.ts': 'libs/replay/src/deadlines/deadline-entries.ts' },
  in: ['libs/replay/src/**/*.ts', 'services/control-bus/src/run/*.ts'],
};
