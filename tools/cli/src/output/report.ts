import { type ErrorInfo, isReinsError, problemOf } from '@reins/contracts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts';

/** Tells an error, for people or for programs, and says how the process ends. */
export function reportError(context: CliContext, error: unknown): ExitCode {
  const problems = isReinsError(error) ? error.problems : [problemOf(error)];
  if (context.json) context.out(`${JSON.stringify({ error: problems[0], errors: problems }, null, 2)}\n`);
  else for (const problem of problems) context.note(problemLine(problem));
  return problems[0] ? exitCodeOf(problems[0].code) : EXIT.failed;
}

/** A problem, as people read it. A message that begins with the path, for where it stands alone, does not say it a second time. */
export function problemLine({ code, message, path, hint }: ErrorInfo): string {
  const where = path ? ` at ${path}` : '';
  const what = path && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  return `${code}${where}: ${what}${hint ? `\n  ${hint}` : ''}`;
}
