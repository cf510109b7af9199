import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isObject, type JsonObject, ReinsError } from '@reins/contracts';
import type { ProcessDefinition, ProcessRunner } from '@reins/replay';
import { type BabysitterProcess, babysitterProcess, type Surroundings } from '@reins/replay/babysitter';
import type { CliContext } from '../context.ts';
import { type Entrypoint, noSuchProcess } from './entrypoint.ts';

/** A process as its module has it. */
export interface LoadedProcess {
  readonly definition: ProcessDefinition | ProcessRunner;
  /** Of the inputs, where the module exports one. */
  readonly inputSchema?: JsonObject;
}

/**
 * Loads a process from its module. Everything that runs authored code comes through here, and it runs in a sandbox.
 * @param id how the run names it
 * @param surroundings of the run that it drives
 * @throws ReinsError `process_not_found` when there is no such file, `process_invalid` when it cannot be loaded, or has no such function
 */
export async function loadProcess(
  context: CliContext,
  id: string,
  entrypoint: Entrypoint,
  surroundings: RunSurroundings = {},
): Promise<LoadedProcess> {
  return context.inProcess
    ? loadHere(id, entrypoint, surroundings)
    : loadSandboxed(context, id, entrypoint, surroundings);
}

/** What a run that exists has around its process. */
export interface RunSurroundings extends Surroundings {
  /** The identity that its code has in the journal. */
  readonly recorded?: string;
}

/** In a child process that reaches nothing. Runs that know their code by its file alone go on knowing it so. */
async function loadSandboxed(
  { env, note }: CliContext,
  id: string,
  { path, exportName }: Entrypoint,
  { recorded, ...surroundings }: RunSurroundings,
): Promise<LoadedProcess> {
  const { locateModule, Sandbox } = await import('@reins/sandbox');
  const { processSettings } = await import('@reins/service-kit/installation');
  const sandbox = new Sandbox({ console: note, sandbox: processSettings(env).processes.sandbox });
  const process = {
    ...(await locateModule(path)),
    id,
    ...(exportName !== undefined && { exportName }),
    ...surroundings,
  };
  const runner = await sandbox.process(process);
  const codeHash = recorded !== undefined && recorded === codeHashOf(path) ? recorded : runner.codeHash;
  const isNew = recorded === undefined;
  return { definition: { ...runner, codeHash }, ...(isNew && (await sandbox.inspect(process))) };
}

async function loadHere(id: string, entrypoint: Entrypoint, surroundings: Surroundings): Promise<LoadedProcess> {
  const { path, exportName } = entrypoint;
  const codeHash = codeHashOf(path);
  const module = await importModule(path, codeHash);
  const run = exportName === undefined ? (module.process ?? module.default) : module[exportName];
  if (typeof run !== 'function') throw invalid(path, `it exports no function ${exportName ?? 'process'}`);
  const { inputSchema } = module;
  return {
    definition: babysitterProcess(id, codeHash, run as BabysitterProcess, surroundings),
    ...(isObject(inputSchema) && { inputSchema: inputSchema as JsonObject }),
  };
}

/** SHA-256 of the module's file. @throws ReinsError `process_not_found` */
function codeHashOf(path: string): string {
  if (!existsSync(path)) throw noSuchProcess(path, path);
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** A changed file is another module. */
async function importModule(path: string, codeHash: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(`${pathToFileURL(path).href}?code=${codeHash.slice(0, 16)}`)) as Record<string, unknown>;
  } catch (cause) {
    throw invalid(path, cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), cause);
  }
}

function invalid(path: string, wrong: string, cause?: unknown): ReinsError {
  return new ReinsError({ code: 'process_invalid', message: `the process ${path}: ${wrong}`, path }, { cause });
}
