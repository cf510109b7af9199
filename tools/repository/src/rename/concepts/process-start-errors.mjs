/** Error codes that keep a process from starting; caches of what is expensive to load. */
export default {
  identifiers: { KEEPS_FROM_RUNNING: 'PROCESS_START_ERRORS', Recent: 'LruCache' },
  files: {
    'services/control-bus/src/processes/recent.ts': 'services/control-bus/src/processes/lru-cache.ts',
  },
  in: ['services/control-bus/**'],
};
