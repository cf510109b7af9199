import { basename, resolve } from 'node:path';
import { type Problem, ReinsError } from '@reins/contracts';
import {
  type CompileInput,
  type CompileResult,
  compileWorkspace,
  gatherInput,
  isInventoryFile,
  renderDiagnostic,
  WORKSPACE_FILE,
} from '@reins/workspace-plan';
import { type Capture, type CaptureCache, capture, followLinks } from '@reins/workspace-tree';
import { folder } from '../arguments.ts';
import { refusedFiles } from '../compile/refused-files.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { problemLine } from '../output/report.ts';
import { IGNORED } from '../run/submit.ts';

/** `reins compile <dir>` */
export async function compile(context: CliContext, dir: string): Promise<ExitCode> {
  const read = await readWorkspace(folder(dir));
  const result = compileLoaded(read);
  if (context.json) printJson(context, answerOf(result));
  else showResult(context, dir, result, read.refused);
  return result.ok ? EXIT.ok : EXIT.failed;
}

/** What compiling a folder takes, and what a watcher of the folder has to know. */
export interface LoadedWorkspace {
  readonly input: CompileInput;
  /** Every file that the result depends on, those that are not there included. */
  readonly asked: ReadonlySet<string>;
  /** Which of them stand there and cannot be read, and why: links that lead out of the workspace, or nowhere. */
  readonly refused: readonly Problem[];
  readonly cache: CaptureCache;
}

/**
 * Reads the parts of a folder that its plan depends on.
 * @throws ReinsError as `capture` does
 */
export async function readWorkspace(dir: string, previous?: CaptureCache): Promise<LoadedWorkspace> {
  const captured = await capture(dir, { refused: 'leave-out', ignore: IGNORED, ...(previous && { previous }) });
  const seen = await followLinks(captured);
  const { manifest, read, origin } = seen;
  const asked = new Set<string>();
  const input = await gatherInput(basename(resolve(dir)), {
    paths: () => manifest.keys(),
    size(path) {
      asked.add(path).add(origin(path));
      return manifest.get(path)?.size;
    },
    read: async (path) => new TextDecoder().decode(await read(path)),
  });
  if (input.workspaceYaml === null) for (const path of documentsOf(captured)) asked.add(path);
  const refused = refusedFiles(asked, captured, seen);
  return { input, asked, refused, cache: captured.cache };
}

/** Where documents of an inventory stand, or would if what stands there could be read. */
function documentsOf({ manifest, leftOut }: Capture): readonly string[] {
  const paths = [...manifest.keys(), ...leftOut.flatMap(({ path }) => path ?? [])];
  return paths.filter((path) => isInventoryFile(path) || path === 'config');
}

/**
 * Compiles what was read. What is refused is as if it were not there, which the diagnostics tell where the plan needs it.
 * @throws ReinsError with what is refused when the rest compiles: the plan would be another one than the folder says; also when it is
 *   workspace.yaml itself or all of config/, without which everything else that is told would mislead
 */
export function compileLoaded({ input, refused }: LoadedWorkspace): CompileResult {
  const result = compileWorkspace(input);
  const isLost = result.ok || refused.some(({ path }) => path === WORKSPACE_FILE || path === 'config');
  if (isLost && refused.length > 0) throw new ReinsError(refused);
  return result;
}

/** The answer for programs. */
export function answerOf(result: CompileResult): object {
  const { diagnostics } = result;
  return result.ok ? { ok: true, plan: result.plan, diagnostics } : { ok: false, error: result.error, diagnostics };
}

/** What is refused and every finding, to standard error; that it compiles, to standard output. */
export function showResult(
  context: CliContext,
  dir: string,
  { diagnostics, ...result }: CompileResult,
  refused: readonly Problem[],
): void {
  for (const problem of refused) context.note(problemLine(problem));
  for (const diagnostic of diagnostics) context.note(renderDiagnostic(diagnostic));
  if (result.ok) context.out(`${dir} compiles (${result.plan.config_checksum.slice(0, 12)})\n`);
}
