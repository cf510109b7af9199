/** An owner of a partition indexes the runs that have not ended, and stores snapshots of that index for the next owner. */
export default {
  identifiers: {
    RunBook: 'LiveRunIndex',
    RunBooks: 'LiveRunIndexes',
    RunBooksOptions: 'LiveRunIndexesOptions',
    HeldBook: 'OwnedIndex',
    BookPage: 'LiveRunSnapshot',
    KeptPage: 'StoredSnapshot',
    FoundPage: 'FoundSnapshot',
    RunPages: 'LiveRunSnapshots',
    RunPagesOptions: 'LiveRunSnapshotsOptions',
    pageKeyOf: 'snapshotKeyOf',
    bookOf: 'liveRunIndexOf',
    books: 'liveRunIndexes',
    pageAfter: 'snapshotEvery',
    PAGE_AFTER: 'SNAPSHOT_EVERY',
    onPage: 'onSnapshotDue',
    simulatedBooks: 'simulatedLiveRunIndexes',
    ofBooks: 'ofLiveRunIndexes',
    heldUnder: 'ownedUnder',
  },
  files: {
    'services/control-bus/src/partition/run-book.ts': 'services/control-bus/src/partition/live-run-index.ts',
    'services/control-bus/src/partition/run-book.spec.ts': 'services/control-bus/src/partition/live-run-index.spec.ts',
    'services/control-bus/src/partition/run-books.ts': 'services/control-bus/src/partition/live-run-indexes.ts',
    'services/control-bus/src/partition/run-pages.ts': 'services/control-bus/src/partition/live-run-snapshots.ts',
    'services/control-bus/src/partition/run-pages.spec.ts':
      'services/control-bus/src/partition/live-run-snapshots.spec.ts',
    'tools/simulation/src/machine/run-books.ts': 'tools/simulation/src/machine/live-run-indexes.ts',
  },
  in: ['services/control-bus/**', 'tools/simulation/**', 'docs/**', '*.md'],
};
