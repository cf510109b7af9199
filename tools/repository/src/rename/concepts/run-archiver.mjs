/** Moves the journals of ended runs into the archive, and stores how far it got. */
export default {
  identifiers: {
    Archivist: 'RunArchiver',
    ArchivistOptions: 'RunArchiverOptions',
    BusArchivistOptions: 'BusRunArchiverOptions',
    archivist: 'archiver',
    archivistOver: 'archiverOver',
    Swept: 'ArchivePosition',
    sweptKeyOf: 'archivePositionKeyOf',
  },
  files: {
    'services/control-bus/src/partition/archivist.ts': 'services/control-bus/src/partition/run-archiver.ts',
  },
};
