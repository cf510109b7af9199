import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JsonObject, ReinsError } from '@reins/contracts';
import { childEnvironment, HarnessProcess } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';
import type { HostPaths } from '@reins/tool-gateway';
import type { RunFolder } from '../executor/run-folder.ts';
import type { ServicesHost } from './services-host.ts';

/** TypeScript sources start the TypeScript file; compiled code starts the compiled file. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const READER = fileURLToPath(import.meta.resolve(`./schema-reader.${EXTENSION}`));
const NODE_ARGUMENTS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=128'];
const READ_TIMEOUT_MS = 15_000;
const RETRIES = 2;

/**
 * Adds the output schema to a request when a module of the workspace provides it.
 * @throws ReinsError `output_schema_missing` when the module provides no schema; `sandbox_unavailable`; `harness_start_failed`
 */
export async function withOutputSchema(
  host: ServicesHost,
  request: HostRequest,
  folder: RunFolder,
): Promise<HostRequest> {
  const { output_schema_module: module, output_format: format } = request;
  // Work without files has no module to load.
  if (module === null || format !== null || !folder.exists) return request;
  const schema = await readSchema(host, module, folder);
  return { ...request, output_format: { type: 'json_schema', schema, retryCount: RETRIES } };
}

async function readSchema(host: ServicesHost, module: string, { root, workDir }: RunFolder): Promise<JsonObject> {
  const lines: string[] = [];
  const homeDir = join(root, 'services', 'schema');
  const runToken = host.newToken();
  await mkdir(join(homeDir, 'tmp'), { recursive: true });
  const { sandboxWith } = await import('@reins/tool-gateway');
  const network = await host.openNetwork(`output schema ${module}`);
  try {
    const reader = new HarnessProcess(
      {
        command: process.execPath,
        args: [...NODE_ARGUMENTS, READER, workDir, module],
        cwd: workDir,
        environment: childEnvironment({ homeDir, runToken, path: host.path }),
        runToken,
        sandbox: sandboxWith(host.sandbox, network),
        writable: [workDir, homeDir],
        takesInput: false,
      },
      { line: (line) => lines.push(line), lineTooLong: () => void reader.stop() },
    );
    const late = setTimeout(() => void reader.stop(), READ_TIMEOUT_MS);
    await reader.exited;
    clearTimeout(late);
    return parsed(lines.at(-1)) ?? (await missing(module, reader.stderr, { trees: [workDir], homeDir }));
  } finally {
    network?.close();
  }
}

function parsed(line: string | undefined): JsonObject | undefined {
  try {
    return line === undefined ? undefined : (JSON.parse(line) as JsonObject);
  } catch {
    return undefined;
  }
}

async function missing(module: string, stderr: string, folders: HostPaths): Promise<never> {
  const { errorExcerpt } = await import('@reins/tool-gateway');
  const reason = errorExcerpt(stderr, folders);
  throw new ReinsError({
    code: 'output_schema_missing',
    message: `the module '${module}' provides no schema${reason === '' ? '' : `: ${reason}`}`,
    path: 'agents.schema_module_path',
    hint: 'Export a JSON Schema as `default` or `schema`.',
  });
}
