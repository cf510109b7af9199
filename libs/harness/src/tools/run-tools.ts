import { ReinsError } from '@reins/contracts';
import type { HarnessRun } from '../contract.ts';
import type { ToolClient } from './tool-client.ts';

/**
 * Connects to the tools that are served to a run; undefined when there are none. Loads the client only when it is
 * needed: most executions have no tools, and the client is a large part of what a process loads.
 * @throws ReinsError `mcp_server_failed`
 */
export async function connectTools(
  { mcpServers }: Pick<HarnessRun, 'mcpServers'>,
  signal?: AbortSignal,
): Promise<ToolClient | undefined> {
  if (mcpServers.length === 0) return undefined;
  const { ToolClient } = await import('./tool-client.ts');
  try {
    return await ToolClient.connect(mcpServers, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const message = `cannot connect to the tools of the run: ${(cause as Error).message}`;
    throw new ReinsError({ code: 'mcp_server_failed', message }, { cause });
  }
}
