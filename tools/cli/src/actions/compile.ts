import { basename, resolve } from 'node:path';
import { type Problem, ReinsError } from '@reins/contracts';
import {
  type CompileInput,
  type CompileResult,
  compileWorkspace,
  gatherInput,
  renderDiagnostic,
} from '@reins/workspace-plan';
import { type CaptureCache, capture, followLinks } from '@reins/workspace-tree';
import { folder } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { IGNORED } from '../run/submit.ts';

/** `reins compile <dir>` */
export async function compile(context: CliContext, dir: string): Promise<ExitCode> {
  const result = compileRead(await readWorkspace(folder(dir)));
  if (context.json) printJson(context, answerOf(result));
  else showResult(context, dir, result);
  return result.ok ? EXIT.ok : EXIT.failed;
}

/** What compiling a folder takes, and what a watcher of the folder has to know. */
export interface ReadWorkspace {
  readonly input: CompileInput;
  /** Every file that the result depends on, those that are not there included. */
  readonly asked: ReadonlySet<string>;
  /** Which of them cannot be part of a workspace, and why: links that lead out of it. */
  readonly refused: readonly Problem[];
  readonly cache: CaptureCache;
}

/**
 * Reads the parts of a folder that its plan depends on.
 * @throws ReinsError as `capture` does
 */
export async function readWorkspace(dir: string, previous?: CaptureCache): Promise<ReadWorkspace> {
  const captured = await capture(dir, { refused: 'leave-out', ignore: IGNORED, ...(previous && { previous }) });
  const { manifest, read, origin } = await followLinks(captured);
  const asked = new Set<string>();
  const input = await gatherInput(basename(resolve(dir)), {
    paths: () => manifest.keys(),
    size(path) {
      asked.add(path).add(origin(path));
      return manifest.get(path)?.size;
    },
    read: async (path) => new TextDecoder().decode(await read(path)),
  });
  const refused = captured.leftOut.filter(({ path }) => [...asked].some((wanted) => leadsThrough(wanted, path)));
  return { input, asked, refused, cache: captured.cache };
}

/**
 * Compiles what was read. What is refused is as if it were not there, which the diagnostics tell where the plan needs it.
 * @throws ReinsError with what is refused when the rest compiles: the plan would be another one than the folder says
 */
export function compileRead({ input, refused }: ReadWorkspace): CompileResult {
  const result = compileWorkspace(input);
  if (result.ok && refused.length > 0) throw new ReinsError(refused);
  return result;
}

const leadsThrough = (path: string, via: string | undefined): boolean => path === via || path.startsWith(`${via}/`);

/** The answer for programs. */
export function answerOf(result: CompileResult): object {
  const { diagnostics } = result;
  return result.ok ? { ok: true, plan: result.plan, diagnostics } : { ok: false, error: result.error, diagnostics };
}

/** Every finding, to standard error; that it compiles, to standard output. */
export function showResult(context: CliContext, dir: string, { diagnostics, ...result }: CompileResult): void {
  for (const diagnostic of diagnostics) context.note(renderDiagnostic(diagnostic));
  if (result.ok) context.out(`${dir} compiles (${result.plan.config_checksum.slice(0, 12)})\n`);
}
