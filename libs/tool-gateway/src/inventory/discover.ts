import { setTimeout as sleep } from 'node:timers/promises';
import type { ListToolsResult, Tool } from '@modelcontextprotocol/client';
import type { McpConnection } from '../client/mcp-connection.ts';
import { readLoadFailures, type ToolLoadFailure } from '../sidecar/load-failures.ts';

const POLL_INTERVAL_MS = 250;
const DISCOVERY_TIMEOUT_MS = 10_000;
const MAX_TOOLS = 500;

/** The tools of a server. */
export interface DiscoveredTools {
  readonly tools: readonly Tool[];
  /** Tools that the workspace sidecar could not load. */
  readonly failedTools: readonly ToolLoadFailure[];
}

/**
 * Lists the tools of a server. Polls until the server has every wanted tool or its time is up, since some servers
 * register tools late.
 * @throws ReinsError `mcp_server_failed` when the server never responded
 */
export async function discover(
  connection: McpConnection,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<DiscoveredTools> {
  const { config, complete } = connection.spec;
  const until = performance.now() + (complete ? 0 : Math.min(DISCOVERY_TIMEOUT_MS, config.timeout));
  for (;;) {
    const { tools, _meta } = await connection.listTools(signal).catch((error: unknown): ListToolsResult => {
      if (wanted.length === 0 || timedOut(connection, until)) throw error;
      return { tools: [] };
    });
    const names = new Set(tools.map(({ name }) => name));
    if (wanted.every((name) => names.has(name)) || timedOut(connection, until))
      return { tools: tools.slice(0, MAX_TOOLS), failedTools: complete ? readLoadFailures(_meta) : [] };
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}

const timedOut = (connection: McpConnection, until: number): boolean =>
  connection.closedReason !== undefined || performance.now() + POLL_INTERVAL_MS > until;
