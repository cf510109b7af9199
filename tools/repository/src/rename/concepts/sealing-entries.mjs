/** The entries (marked `sealed`) with which the owner ended a run because its journal is corrupted. */
export default {
  identifiers: { seal: 'sealingEntries' },
  in: [
    'libs/journal/src/store/*.ts',
    'services/control-bus/src/run/*{damaged,corrupt}*.ts',
    'tools/cli/src/requests/repair.ts',
  ],
};
