/** A journal is corrupted when its bytes, its hash chain or its entries are wrong; its run is ended. */
export default {
  identifiers: {
    damagedRun: 'foldCorruptedRun',
    DamagedRun: 'CorruptedRun',
    endOfDamaged: 'endCorruptedRun',
    unlessDamaged: 'skipIfCorrupted',
  },
  files: {
    'services/control-bus/src/run/damaged-run.ts': 'services/control-bus/src/run/corrupted-run.ts',
    'services/control-bus/src/run/damaged-run.spec.ts': 'services/control-bus/src/run/corrupted-run.spec.ts',
    'services/control-bus/src/partition/damaged-journals.int.spec.ts':
      'services/control-bus/src/partition/corrupted-journals.int.spec.ts',
  },
};
