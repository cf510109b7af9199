import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HarnessRun } from '../../contract.ts';

/**
 * The variable with the tool endpoints for pi's extension. It contains their token, so the extension removes it
 * before pi starts other processes.
 */
export const TOOLS_VARIABLE = 'REINS_RUN_TOOLS';

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const MODULE = fileURLToPath(import.meta.resolve(`./tools-extension.${EXTENSION}`));

/** The arguments and environment for the tools of the run. An extension serves them: pi has no MCP support. */
export interface ServedTools {
  readonly names: readonly string[];
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const NONE: ServedTools = { names: [], args: [], environment: {} };

/** Writes the tools that are served to the run to a file for the extension. */
export async function servedTools(run: HarnessRun, folder: string): Promise<ServedTools> {
  const tools = run.mcpServers.map((server) => server.tools);
  if (tools.flat().length === 0) return NONE;
  const file = join(folder, 'tools.json');
  await writeFile(file, JSON.stringify(tools));
  const endpoints = run.mcpServers.map(({ url, headers }) => ({ url, headers }));
  const settings = { file, endpoints, timeoutMs: run.deadlines.totalMs };
  return {
    names: tools.flat().map(({ name }) => name),
    args: ['--extension', MODULE],
    environment: { [TOOLS_VARIABLE]: JSON.stringify(settings) },
  };
}
