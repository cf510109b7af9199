import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined, isToken, type JsonObject, ReinsError } from '@reins/contracts';
import { BARE_RUN } from '@reins/journal';
import { LocalRun, type NewRun } from '@reins/replay';
import { governanceProblems } from '@reins/replay/babysitter';
import { KEEPS_CODE, RunBlobs, updateRunMetadata } from '@reins/run-directory';
import { ulid } from 'ulid';
import { wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { type AdoptFlags, adoptedRun } from './adopt.ts';
import { bareProcess } from './bare.ts';
import { type Entrypoint, parseEntry, processId, processName } from './entrypoint.ts';
import { assertInputs } from './input-schema.ts';
import { keepCode } from './keep-code.ts';
import { type LoadedProcess, loadProcess } from './load-process.ts';
import {
  assertNew,
  createUnderLock,
  newRunDirectory,
  OTHER_RUN_ID,
  type RunHandle,
  type RunsFlags,
  rootOf,
} from './locate.ts';
import { inputsOption, jsonFileOption, jsonOption, objectOf } from './values.ts';

export interface CreateFlags extends RunsFlags, AdoptFlags {
  readonly processRevision?: string;
  readonly request?: string;
  readonly prompt?: string;
  readonly nested?: string;
  readonly governance?: string;
  readonly nonInteractive?: boolean;
  readonly completionProof?: string;
  readonly dryRun?: boolean;
}

/** `reins run:create` */
export async function runCreate(context: CliContext, flags: CreateFlags): Promise<ExitCode> {
  const root = rootOf(context, flags);
  const runId = flags.runId ?? ulid();
  const handle = newRunDirectory(root, runId);
  const inputs = flags.inputs === undefined ? null : inputsOption(flags.inputs);
  const entrypoint = flags.entry === undefined ? undefined : parseEntry(flags.entry);
  const metadata = { ...metadataOf(runId, flags), ...(!context.inProcess && { [KEEPS_CODE]: true }) };
  const loaded = await processOf(context, handle, entrypoint);
  if (loaded.inputSchema) await assertInputs(loaded.inputSchema, inputs);
  await assertNew(handle, OTHER_RUN_ID);
  if (flags.dryRun) return printCreated(context, dryRunAnswer(root, runId, flags));
  const adopted = await adoptedRun(context, root, flags);
  if (adopted) return printCreated(context, adopted);
  // A new package.json changes the root of the process folder, and so the code hash.
  const known = ensureModulePackage(dirname(root)) ? await processOf(context, handle, entrypoint) : loaded;
  await create(handle, known, { inputs, metadata, ...sessionOf(flags) });
  updateRunMetadata(handle.store.pathsOf(handle.run), {
    completionProof: flags.completionProof ?? randomBytes(16).toString('hex'),
  });
  const session = flags.sessionId === undefined ? {} : { session: { sessionId: flags.sessionId } };
  return printCreated(context, { runId, runDir: handle.directory, entry: flags.entry ?? null, ...session });
}

async function processOf(
  context: CliContext,
  handle: RunHandle,
  entrypoint: Entrypoint | undefined,
): Promise<LoadedProcess> {
  if (!entrypoint) return { definition: bareProcess() };
  return loadProcess(context, processId(handle.directory, entrypoint), entrypoint);
}

/** Creates the run. Its process starts with the first iteration. */
async function create(handle: RunHandle, loaded: LoadedProcess, what: Omit<NewRun, 'process'>): Promise<void> {
  const { store, run } = handle;
  const { id, codeHash } = loaded.definition;
  const blobs = new RunBlobs(store.pathsOf(run));
  const options = { store, run, definition: bareProcess(), blobs };
  await createUnderLock(handle, 'run:create', async () => {
    await keepCode(handle, loaded);
    await LocalRun.create(options, { ...what, process: { id, codeHash } });
  });
}

function sessionOf({ sessionId }: CreateFlags): { readonly sessionId?: string } {
  if (sessionId === undefined) return {};
  if (isToken(sessionId)) return { sessionId };
  throw wrongUsage(
    `--session-id ${JSON.stringify(sessionId)} is not a valid id`,
    'Use 1 to 64 letters, digits, "_" or "-".',
  );
}

function metadataOf(runId: string, flags: CreateFlags): JsonObject {
  const {
    entry,
    processId: given,
    request,
    prompt,
    harness,
    nested,
    processRevision,
    nonInteractive,
    governance,
  } = flags;
  const process = given ?? (entry === undefined ? BARE_RUN : processName(parseEntry(entry)));
  return {
    request: request ?? given ?? runId,
    processId: process,
    cwd: globalThis.process.cwd(),
    ...defined({ prompt, harness }),
    ...(nested !== undefined && { nested: objectOf(jsonOption(nested, '--nested'), '--nested') }),
    ...(governance !== undefined && {
      governance: validGovernance(objectOf(jsonFileOption(governance, '--governance'), '--governance')),
    }),
    ...defined({ processRevision }),
    ...(nonInteractive && { nonInteractive }),
  };
}

/** Validates policy rules: invalid ones would fail the run at its first task. @throws ReinsError `wrong_usage` with every problem */
function validGovernance(governance: JsonObject): JsonObject {
  const wrong = governanceProblems(governance).map(({ path, message }) =>
    wrongUsage(`--governance: ${path}: ${message}`),
  );
  if (wrong.length > 0) throw new ReinsError(wrong.flatMap(({ problems }) => problems));
  return governance;
}

/** Makes process files next to the runs ES modules, unless there is a package.json. @returns whether one was written */
function ensureModulePackage(folder: string): boolean {
  const path = join(folder, 'package.json');
  if (existsSync(path)) return false;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, '{\n  "type": "module"\n}\n', { flag: 'wx' });
  return true;
}

function dryRunAnswer(runsDir: string, runId: string, flags: CreateFlags): JsonObject {
  const { processId: given = null, entry = null, request = null, processRevision = null, inputs = null } = flags;
  const runDir = join(runsDir, runId);
  return {
    dryRun: true,
    runsDir,
    processId: given,
    entry,
    runId,
    runDir,
    request,
    processRevision,
    inputsPath: inputs,
  };
}

function printCreated(context: CliContext, answer: JsonObject): ExitCode {
  if (context.json) printJson(context, answer);
  else context.out(`${answer.dryRun ? 'would create ' : ''}run ${String(answer.runId)} in ${String(answer.runDir)}\n`);
  return EXIT.ok;
}
