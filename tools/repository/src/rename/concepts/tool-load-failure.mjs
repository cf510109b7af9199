/** A tool that failed to load was never loaded, so it cannot be "unloaded". The `_meta` key `reins/unloaded` stays. */
export default {
  identifiers: {
    UnloadedTool: 'ToolLoadFailure',
    unloadedIn: 'readLoadFailures',
    unloadedMeta: 'loadFailuresMeta',
    isUnloaded: 'isLoadFailure',
    unloaded: 'failedTools',
    Discovered: 'DiscoveredTools',
  },
  files: { 'libs/tool-gateway/src/sidecar/unloaded.ts': 'libs/tool-gateway/src/sidecar/load-failures.ts' },
};
