import { type ErrorInfo, isReinsError, problemOf } from '@reins/contracts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts';

/** Reports an error, as text or as JSON. Returns the exit code. */
export function reportError(context: CliContext, error: unknown): ExitCode {
  const problems = isReinsError(error) ? error.problems : [problemOf(error)];
  if (context.json) context.out(`${JSON.stringify({ error: problems[0], errors: problems }, null, 2)}\n`);
  else for (const problem of problems) context.note(problemLine(problem));
  return problems[0] ? exitCodeOf(problems[0].code) : EXIT.failed;
}

/** Formats a problem as human-readable text. Drops a leading path from the message, because the line already names it. */
export function problemLine({ code, message, path, hint, stack }: ErrorInfo): string {
  const where = path ? ` at ${path}` : '';
  const what = path && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  const frames = stack ? stack.split('\n').map((frame) => `\n    at ${frame}`) : [];
  return `${code}${where}: ${what}${frames.join('')}${hint ? `\n  ${hint}` : ''}`;
}
