import { setTimeout as sleep } from 'node:timers/promises';
import type { ListToolsResult, Tool } from '@modelcontextprotocol/client';
import type { McpConnection } from '../client/mcp-connection.ts';
import { type UnloadedTool, unloadedIn } from '../sidecar/unloaded.ts';

const AGAIN_MS = 250;
const WITHIN_MS = 10_000;
const MAX_TOOLS = 500;

/** What a server offers. */
export interface Discovered {
  readonly tools: readonly Tool[];
  /** Those that the sidecar of a workspace should offer and could not load. */
  readonly unloaded: readonly UnloadedTool[];
}

/**
 * The tools of a server. One that comes up slowly is asked again until it has every tool that the run wants of it, or its time is over.
 * @throws ReinsError `mcp_server_failed` when it never answered
 */
export async function discover(
  connection: McpConnection,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<Discovered> {
  const { config, complete } = connection.spec;
  const until = performance.now() + (complete ? 0 : Math.min(WITHIN_MS, config.timeout));
  for (;;) {
    const { tools, _meta } = await connection.listTools(signal).catch((error: unknown): ListToolsResult => {
      if (wanted.length === 0 || timedOut(connection, until)) throw error;
      return { tools: [] };
    });
    const names = new Set(tools.map(({ name }) => name));
    if (wanted.every((name) => names.has(name)) || timedOut(connection, until))
      return { tools: tools.slice(0, MAX_TOOLS), unloaded: complete ? unloadedIn(_meta) : [] };
    await sleep(AGAIN_MS, undefined, { signal });
  }
}

const timedOut = (connection: McpConnection, until: number): boolean =>
  connection.closedReason !== undefined || performance.now() + AGAIN_MS > until;
