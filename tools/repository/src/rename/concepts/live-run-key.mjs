/** The key of a run in the live-run index. `nameOf` is another function in other files. */
export default {
  identifiers: { nameOf: 'runKeyOf' },
  in: [
    'services/control-bus/src/core.ts',
    'services/control-bus/src/partition/live-run*.ts',
    'tools/simulation/src/machine/live-run-indexes.ts',
  ],
};
