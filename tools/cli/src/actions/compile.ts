import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isReinsError, ReinsError } from '@reins/contracts';
import {
  type CompileResult,
  collectReferences,
  compileWorkspace,
  type Diagnostic,
  WORKSPACE_FILE,
} from '@reins/workspace-plan';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';

export async function compile(context: CliContext, dir: string): Promise<ExitCode> {
  const result = await compileFolder(dir);
  if (context.json)
    printJson(
      context,
      result.ok
        ? { ok: true, plan: result.plan, diagnostics: result.diagnostics }
        : { ok: false, error: result.error, diagnostics: result.diagnostics },
    );
  else {
    for (const diagnostic of result.diagnostics) context.note(diagnosticText(diagnostic));
    if (result.ok) context.out(`${dir} compiles (${result.plan.config_checksum.slice(0, 12)})\n`);
  }
  return result.ok ? EXIT.ok : EXIT.failed;
}

async function compileFolder(dir: string): Promise<CompileResult> {
  const workspaceYaml = await textOf(join(dir, WORKSPACE_FILE));
  if (workspaceYaml === undefined)
    throw new ReinsError({ code: 'wrong_usage', message: `${dir} has no ${WORKSPACE_FILE}`, path: dir });
  const texts = await Promise.all(
    referencesOf(workspaceYaml).map(async (path) => [path, await textOf(join(dir, path))] as const),
  );
  const references = Object.fromEntries(texts.filter((pair): pair is [string, string] => pair[1] !== undefined));
  return compileWorkspace({ workspaceId: basename(resolve(dir)), workspaceYaml, references });
}

/** What cannot be read refers to nothing; the compiler says what is wrong with it. */
function referencesOf(workspaceYaml: string): readonly string[] {
  try {
    return collectReferences(workspaceYaml);
  } catch (error) {
    if (isReinsError(error)) return [];
    throw error;
  }
}

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

function diagnosticText({ severity, code, message, path, hint, file, line, column, source }: Diagnostic): string {
  const lines = [
    `${file}:${line}:${column} ${severity} ${code}${path ? ` at ${path}` : ''}: ${message}`,
    source && `  | ${source}`,
    hint && `  ${hint}`,
  ];
  return lines.filter((text) => text).join('\n');
}
