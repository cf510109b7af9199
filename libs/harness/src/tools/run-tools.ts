import { ReinsError } from '@reins/contracts';
import type { HarnessRun } from '../contract.ts';
import type { ToolClient } from './tool-client.ts';

/**
 * The tools that are served to a run; undefined when there are none. The client is loaded when it is needed: most executions have none,
 * and it is a large part of what their process would load.
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
    const message = `the tools of the run cannot be reached: ${(cause as Error).message}`;
    throw new ReinsError({ code: 'mcp_server_failed', message }, { cause });
  }
}
