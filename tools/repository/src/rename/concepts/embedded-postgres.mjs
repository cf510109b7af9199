/** `checkPostgres` returns the version line. */
export default {
  identifiers: { checkPostgres: 'postgresVersion', renameUnlessThere: 'renameUnlessExists' },
};
