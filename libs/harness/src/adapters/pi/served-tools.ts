import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HarnessRun } from '../../contract.ts';
import { connectTools } from '../../tools/run-tools.ts';

/** The variable that tells pi's extension where the tools are. It holds their token, so it is taken out before pi starts anything. */
export const TOOLS_VARIABLE = 'REINS_RUN_TOOLS';

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const MODULE = fileURLToPath(import.meta.resolve(`./tools-extension.${EXTENSION}`));

/** What pi is started with so that it has the tools that are served to the run. pi itself knows no MCP: an extension of ours does. */
export interface ServedTools {
  readonly names: readonly string[];
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const NONE: ServedTools = { names: [], args: [], environment: {} };

/**
 * Asks what is served, and writes it down for the extension.
 * @throws ReinsError `mcp_server_failed`
 */
export async function servedTools(run: HarnessRun, folder: string): Promise<ServedTools> {
  const client = await connectTools(run);
  if (!client) return NONE;
  await client.close();
  if (client.tools.length === 0) return NONE;
  const file = join(folder, 'tools.json');
  await writeFile(file, JSON.stringify(client.tools));
  const endpoints = run.mcpServers.map(({ url, headers }) => ({ url, headers }));
  const settings = { file, endpoints, withinMs: run.deadlines.totalMs };
  return {
    names: client.tools.map(({ name }) => name),
    args: ['--extension', MODULE],
    environment: { [TOOLS_VARIABLE]: JSON.stringify(settings) },
  };
}
