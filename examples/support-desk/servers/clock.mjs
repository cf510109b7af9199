/** An MCP server for the time. Its tools are discovered when a run starts. */
import { serve } from './json-rpc.mjs';

await serve('clock', {
  now: {
    description: 'The time, in UTC.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    run: () => new Date().toISOString(),
  },
});
