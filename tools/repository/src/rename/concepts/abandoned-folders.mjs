/** Temporary folders that are named after a process are abandoned when that process has ended. */
export default {
  identifiers: { removeAbandoned: 'removeAbandonedFolders', isGone: 'hasProcessEnded' },
  in: ['libs/service-kit/**', 'services/control-bus/**', 'services/harness-host/**'],
};
