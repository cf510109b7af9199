import { setTimeout as sleep } from 'node:timers/promises';
import type { Tool } from '@modelcontextprotocol/client';
import type { McpConnection } from '../client/mcp-connection.ts';

const AGAIN_MS = 250;
const WITHIN_MS = 10_000;
const MOST_TOOLS = 500;

/**
 * The tools of a server. One that comes up slowly is asked again until it has every tool that the run wants of it, or its time is over.
 * @throws ReinsError `mcp_server_failed` when it never answered
 */
export async function discover(
  connection: McpConnection,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  const { config, complete } = connection.spec;
  const until = performance.now() + (complete ? 0 : Math.min(WITHIN_MS, config.timeout));
  for (;;) {
    const tools = await connection.listTools(signal).catch((error: unknown) => {
      if (wanted.length === 0 || over(connection, until)) throw error;
      return [];
    });
    const names = new Set(tools.map(({ name }) => name));
    if (wanted.every((name) => names.has(name)) || over(connection, until)) return tools.slice(0, MOST_TOOLS);
    await sleep(AGAIN_MS, undefined, { signal });
  }
}

const over = (connection: McpConnection, until: number): boolean =>
  connection.gone !== undefined || performance.now() + AGAIN_MS > until;
