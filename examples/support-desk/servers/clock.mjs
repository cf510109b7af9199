/** Tells the time: the server whose tools are found when a run starts. */
import { serve } from './json-rpc.mjs';

await serve('clock', {
  now: {
    description: 'The time, in UTC.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    run: () => new Date().toISOString(),
  },
});
