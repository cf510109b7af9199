/** The offset of the projection in the event log is a position; a checkpoint is a stored prefix of commits. */
export default {
  identifiers: {
    readCheckpoint: 'readProjectionPosition',
    writeCheckpoint: 'writeProjectionPosition',
    checkpointAfter: 'positionAfter',
  },
  in: ['libs/store/**', 'services/projector/**', 'services/gateway/**', 'tools/chaos/**', 'tools/cli/**'],
};
