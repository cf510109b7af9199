import { basename, resolve } from 'node:path';
import { isReinsError, type Problem, ReinsError } from '@reins/contracts';
import {
  type CompiledWorkspaceRuntimePlan,
  type CompileInput,
  type CompileResult,
  compileWorkspace,
  gatherInput,
  isInventoryFile,
  type Observed,
  renderDiagnostic,
  WORKSPACE_FILE,
} from '@reins/workspace-plan';
import { type Capture, type CaptureCache, capture, followLinks } from '@reins/workspace-tree';
import { folder } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { problemLine } from '../output/report.ts';
import { IGNORED } from '../run/submit.ts';
import { checkFolder, type WorkspaceFiles } from './check-folder.ts';
import { checkedCode } from './checked-code.ts';
import { ignoredRuntimes } from './ignored-runtimes.ts';
import { type InstallationModels, installationModels } from './installation-models.ts';
import type { Probe } from './probe.ts';
import { refusedFiles } from './refused-files.ts';

/**
 * `reins compile <dir>`
 * @param flags `probe`: starts the servers of the workspace, and compares their tools with it
 */
export async function compile(
  context: CliContext,
  dir: string,
  flags: { readonly probe?: boolean } = {},
): Promise<ExitCode> {
  const read = await readWorkspace(folder(dir));
  const { script: _, ...models } = await installationModels(context);
  const planned = flags.probe ? compileWorkspace(read.input) : undefined;
  const started = planned?.ok ? await settled(probeServers(context, dir, planned.plan)) : undefined;
  const found = started?.value;
  const result = await compileLoaded(dir, read, { ...models, ...(found && { probed: found.probed }) });
  const warnings = [...(await checkFolder(read)), ...(await ignoredProfile(context, result))];
  if (planned && !planned.ok) context.note('no server was started, because the workspace does not compile');
  const more = warnings.length > 0 ? { warnings } : {};
  const { problems = [] } = started?.error ?? {};
  const ok = result.ok && problems.length === 0;
  if (context.json) {
    const failed = { ok: false, error: problems[0], diagnostics: result.diagnostics };
    const output = result.ok && !ok ? failed : compileOutput(result);
    const probed = { ...(problems.length > 0 && { errors: problems }), ...(found && { servers: found.servers }) };
    printJson(context, { ...output, ...more, ...probed });
  } else {
    for (const line of found?.lines ?? []) context.note(line);
    for (const warning of warnings) context.note(`warning ${problemLine(warning)}`);
    for (const problem of problems) context.note(problemLine(problem));
    showResult(context, dir, result, read.refused, ok);
  }
  return ok ? EXIT.ok : EXIT.failed;
}

/** The value of a promise, or its error: the other problems are reported first. */
async function settled<T>(work: Promise<T>): Promise<{ readonly value?: T; readonly error?: ReinsError }> {
  try {
    return { value: await work };
  } catch (error) {
    if (!isReinsError(error)) throw error;
    return { error };
  }
}

/** Loaded only for a probe: it needs the code of a harness host. */
async function probeServers(
  context: CliContext,
  dir: string,
  plan: CompiledWorkspaceRuntimePlan,
): Promise<Probe & { readonly lines: readonly string[] }> {
  const { probe, serverLine } = await import('./probe.ts');
  const found = await probe(context, dir, plan);
  return { ...found, lines: found.servers.map(serverLine) };
}

/** The warnings of `ignoredRuntimes`. Settings take time to load, and most workspaces name no runtime. */
async function ignoredProfile(context: CliContext, result: CompileResult): Promise<readonly Problem[]> {
  if (!result.ok || result.plan.extensions?.runtime_profile === undefined) return [];
  const { installationSettings } = await import('../bus/with-bus.ts');
  try {
    return ignoredRuntimes(result, installationSettings(context).runtimeProfile);
  } catch (error) {
    // Invalid settings are a problem of the installation. `reins doctor` reports them.
    if (isReinsError(error)) return [];
    throw error;
  }
}

/** A workspace folder, read for compiling. */
export interface LoadedWorkspace extends WorkspaceFiles {
  readonly input: CompileInput;
  /** Every file that the result depends on, including missing files. */
  readonly dependencies: ReadonlySet<string>;
  /** The dependencies that exist but cannot be read, with the reasons: links that leave the workspace or are broken. */
  readonly refused: readonly Problem[];
  readonly cache: CaptureCache;
}

/**
 * Reads the files that the plan of a workspace folder depends on.
 * @throws ReinsError of `capture`
 */
export async function readWorkspace(dir: string, previous?: CaptureCache): Promise<LoadedWorkspace> {
  const captured = await capture(dir, { refused: 'leave-out', ignore: IGNORED, ...(previous && { previous }) });
  const followed = await followLinks(captured);
  const { manifest, read, origin } = followed;
  const dependencies = new Set<string>();
  const textOf = async (path: string): Promise<string> => new TextDecoder().decode(await read(path));
  const input = await gatherInput(basename(resolve(dir)), {
    paths: () => manifest.keys(),
    size(path) {
      dependencies.add(path).add(origin(path));
      return manifest.get(path)?.size;
    },
    read: textOf,
  });
  if (input.workspaceYaml === null) for (const path of inventoryPaths(captured)) dependencies.add(path);
  const refused = refusedFiles(dependencies, captured, followed);
  return { input, dependencies, refused, cache: captured.cache, files: manifest, read: textOf };
}

/** The paths of inventory documents, including those that cannot be read. */
function inventoryPaths({ manifest, leftOut }: Capture): readonly string[] {
  const paths = [...manifest.keys(), ...leftOut.flatMap(({ path }) => path ?? [])];
  return paths.filter((path) => isInventoryFile(path) || path === 'config');
}

/**
 * Compiles a loaded workspace as a running system would, and checks its code. Refused files count as missing; the
 * diagnostics name those that the plan needs.
 * @throws ReinsError with the refused files when the rest compiles, because the plan would not match the folder; also
 *   when workspace.yaml itself or all of config/ is refused, because the diagnostics would be misleading
 */
export async function compileLoaded(
  dir: string,
  { input, refused, ...files }: LoadedWorkspace,
  { unpriced, modelCheck, probed }: InstallationModels & Pick<Observed, 'probed'>,
): Promise<CompileResult> {
  const workspace = { ...input, unpriced };
  const observed = { probed, modelProblem: modelCheck && modelCheckOf(workspace, modelCheck) };
  const compiled = compileWorkspace(workspace, observed);
  const code = await checkedCode(dir, files, compiled.code);
  const result = code ? compileWorkspace(workspace, { ...observed, code }) : compiled;
  const isLost = result.ok || refused.some(({ path }) => path === WORKSPACE_FILE || path === 'config');
  if (isLost && refused.length > 0) throw new ReinsError(refused);
  return result;
}

/** The runtimes that call the models are in the plan, so the workspace is compiled without the check first. */
function modelCheckOf(
  input: CompileInput,
  modelCheck: NonNullable<InstallationModels['modelCheck']>,
): Observed['modelProblem'] {
  const planned = compileWorkspace(input);
  return modelCheck(planned.ok ? planned.plan : undefined);
}

/** The JSON output of `reins compile`. */
export function compileOutput(result: CompileResult): object {
  const { diagnostics } = result;
  return result.ok ? { ok: true, plan: result.plan, diagnostics } : { ok: false, error: result.error, diagnostics };
}

/**
 * Prints refused files and diagnostics to standard error, and success to standard output.
 * @param ok whether nothing else failed
 */
export function showResult(
  context: CliContext,
  dir: string,
  { diagnostics, ...result }: CompileResult,
  refused: readonly Problem[],
  ok = result.ok,
): void {
  for (const problem of refused) context.note(problemLine(problem));
  for (const diagnostic of diagnostics) context.note(renderDiagnostic(diagnostic));
  if (result.ok && ok) context.out(`${dir} compiled (${result.plan.config_checksum.slice(0, 12)})\n`);
}
