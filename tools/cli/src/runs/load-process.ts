import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { defined, isObject, type JsonObject, ReinsError } from '@reins/contracts';
import type { ProcessCode } from '@reins/journal';
import type { ProcessDefinition, ProcessRunner } from '@reins/replay';
import { type BabysitterEnvironment, type BabysitterProcess, babysitterProcess } from '@reins/replay/babysitter';
import type { CliContext } from '../context.ts';
import { type Entrypoint, noSuchProcess } from './entrypoint.ts';
import { findCode, type RecordedCode } from './find-code.ts';

/** A process, loaded from its module. */
export interface LoadedProcess {
  readonly definition: ProcessDefinition | ProcessRunner;
  /** The JSON Schema of the inputs, if the module exports one. */
  readonly inputSchema?: JsonObject;
  /** Its code, for the run directory. */
  readonly code?: ProcessCode;
}

/**
 * Loads a process from its module. Every command that runs authored code uses this function, so that the code runs in a sandbox.
 * @param id the process id in the run
 * @param surroundings of the run
 * @throws ReinsError `process_not_found` when the file does not exist, `process_invalid` when it cannot be loaded or lacks the function
 */
export async function loadProcess(
  context: CliContext,
  id: string,
  entrypoint: Entrypoint,
  surroundings: RunEnvironment = {},
): Promise<LoadedProcess> {
  return context.inProcess
    ? loadHere(id, entrypoint, surroundings)
    : loadSandboxed(context, id, entrypoint, surroundings);
}

/** The surroundings of the process in an existing run. */
export interface RunEnvironment extends BabysitterEnvironment, Partial<RecordedCode> {}

/** Loads the process in an isolated child process. Runs whose journal has the hash of the single file keep that hash. */
async function loadSandboxed(
  { env, note }: CliContext,
  id: string,
  { path, exportName }: Entrypoint,
  { recorded, kept, isExact, ...surroundings }: RunEnvironment,
): Promise<LoadedProcess> {
  const { Sandbox } = await import('@reins/sandbox');
  const { processSettings } = await import('@reins/service-kit/installation');
  const { graph, code, isRecorded } = await findCode(path, { recorded, kept, isExact }, note);
  const sandbox = new Sandbox({ console: note, sandbox: processSettings(env).processes.sandbox });
  const process = {
    root: graph.root,
    path: graph.entry,
    graph,
    id,
    ...defined({ exportName }),
    ...surroundings,
  };
  const runner = await sandbox.process(process);
  const codeHash = isRecorded && recorded !== undefined ? recorded : runner.codeHash;
  const isNew = recorded === undefined;
  return { definition: { ...runner, codeHash }, code, ...(isNew && (await sandbox.inspect(process))) };
}

async function loadHere(
  id: string,
  entrypoint: Entrypoint,
  surroundings: BabysitterEnvironment,
): Promise<LoadedProcess> {
  const { path, exportName } = entrypoint;
  const codeHash = codeHashOf(path);
  const module = await importModule(path, codeHash);
  const run = exportName === undefined ? (module.process ?? module.default) : module[exportName];
  if (typeof run !== 'function')
    throw invalid(path, `the module does not export a function ${exportName ?? 'process'}`);
  const { inputSchema } = module;
  return {
    definition: babysitterProcess(id, codeHash, run as BabysitterProcess, surroundings),
    ...(isObject(inputSchema) && { inputSchema: inputSchema as JsonObject }),
  };
}

/** The SHA-256 of the module file. @throws ReinsError `process_not_found` */
function codeHashOf(path: string): string {
  if (!existsSync(path)) throw noSuchProcess(path, path);
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Imports the module. The hash in the URL makes Node reload a changed file. */
async function importModule(path: string, codeHash: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(`${pathToFileURL(path).href}?code=${codeHash.slice(0, 16)}`)) as Record<string, unknown>;
  } catch (cause) {
    throw invalid(path, cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), cause);
  }
}

function invalid(path: string, reason: string, cause?: unknown): ReinsError {
  return new ReinsError(
    { code: 'process_invalid', message: `cannot load the process ${path}: ${reason}`, path },
    { cause },
  );
}
