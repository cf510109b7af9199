import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkspaceToolsSpec } from '@reins/runtime-config';
import { DEFAULT_TIMEOUT_MS, type ProcessContext, type ServerSpec } from '../client/server-spec.ts';

/** TypeScript sources start the TypeScript file; compiled code starts the compiled file. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const MAIN = fileURLToPath(import.meta.resolve(`./main.${EXTENSION}`));
const NODE_ARGUMENTS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=256'];

/** The server of a workspace's own tools. Writes its catalog to a file next to the run's tree. */
export async function sidecarServer(
  tools: WorkspaceToolsSpec,
  { homeDir, cwd }: Pick<ProcessContext, 'homeDir' | 'cwd'>,
  environment: Readonly<Record<string, string>>,
): Promise<ServerSpec> {
  await mkdir(homeDir, { recursive: true });
  const catalog = Buffer.from(tools.catalog_json_base64, 'base64');
  // A sidecar that an earlier stage started has the catalog of its file.
  const catalogFile = join(homeDir, `workspace-tools-${createHash('sha256').update(catalog).digest('hex')}.json`);
  await writeFile(catalogFile, catalog);
  // Half the timeout for the list of tools.
  const loadMs = Math.round((tools.timeout_ms || DEFAULT_TIMEOUT_MS) / 2);
  const command = [process.execPath, ...NODE_ARGUMENTS, MAIN, catalogFile, cwd, String(loadMs)];
  const config = { type: 'local', enabled: true, command, environment, timeout: tools.timeout_ms } as const;
  return { serverId: tools.physical_server_id, config, complete: true };
}
