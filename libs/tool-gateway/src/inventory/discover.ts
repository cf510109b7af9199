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

/** A server whose tools are listed. */
export type ListedServer = Pick<McpConnection, 'spec' | 'closedReason' | 'listTools'>;

/** By server id: the tools that were requested, and that the server did not offer in time. */
export type MissingTools = Map<string, ReadonlySet<string>>;

/**
 * Lists the tools of a server. Polls until the server has every wanted tool or its time is up, since some servers
 * register tools late.
 * @param missing the result of earlier stages of the run: a stage does not wait again for a tool that is missing there.
 * Tools that do not appear now are added.
 * @throws ReinsError `mcp_server_failed` when the server never responded
 */
export async function discover(
  connection: ListedServer,
  requested: readonly string[],
  signal: AbortSignal,
  missing: MissingTools = new Map(),
): Promise<DiscoveredTools> {
  const { config, complete, serverId } = connection.spec;
  const known = missing.get(serverId);
  const wanted = requested.filter((name) => !known?.has(name));
  const until = performance.now() + (complete ? 0 : Math.min(DISCOVERY_TIMEOUT_MS, config.timeout));
  for (;;) {
    const { tools, _meta } = await connection.listTools(signal).catch((error: unknown): ListToolsResult => {
      if (wanted.length === 0 || timedOut(connection, until)) throw error;
      return { tools: [] };
    });
    const names = new Set(tools.map(({ name }) => name));
    const absent = wanted.filter((name) => !names.has(name));
    const isOver = timedOut(connection, until);
    // A server that was lost may offer them when it runs again.
    if (isOver && absent.length > 0 && connection.closedReason === undefined)
      missing.set(serverId, new Set([...(known ?? []), ...absent]));
    if (absent.length === 0 || isOver)
      return { tools: tools.slice(0, MAX_TOOLS), failedTools: complete ? readLoadFailures(_meta) : [] };
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}

const timedOut = (connection: ListedServer, until: number): boolean =>
  connection.closedReason !== undefined || performance.now() + POLL_INTERVAL_MS > until;
