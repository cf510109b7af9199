import { existsSync, statSync } from 'node:fs';
import { isStage, problemOf, ReinsError, STAGES, type Stage } from '@reins/contracts';

/** @throws ReinsError `wrong_usage` when the argument is no whole number from 1 */
export function wholeNumber(text: string, name: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw wrongUsage(`${name} must be a whole number from 1, and ${JSON.stringify(text)} is none`);
}

/** @throws ReinsError `wrong_usage` when the argument is no folder */
export function folder(path: string): string {
  if (existsSync(path) && statSync(path).isDirectory()) return path;
  throw wrongUsage(`${path} is no folder`);
}

/** @throws ReinsError `wrong_usage` when the argument is no stage */
export function stageName(text: string): Stage {
  if (isStage(text)) return text;
  throw wrongUsage(`${text} is no stage`, `the stages are ${STAGES.join(', ')}`);
}

/** `--stage <stage>=<runtime>`, given as often as needed. @throws ReinsError `wrong_usage` */
export function stagesOption(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [stage = '', runtime = ''] = pair.split('=', 2);
      if (isStage(stage) && runtime) return [stage, runtime];
      throw wrongUsage(`--stage ${pair} is not <interview|execute|evaluate|reflect>=<runtime>`);
    }),
  );
}

/**
 * A file that somebody named and that cannot be read, with what the file system has against it.
 * @param option that named it; none for an argument
 */
export function unreadable(file: string, cause: unknown, option?: string): ReinsError {
  const { message, path = '', hint } = problemOf(cause);
  const why = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  const told = `${option === undefined ? '' : `${option}: `}${file} cannot be read: ${why}`;
  const more = { ...(option !== undefined && { path: option }), ...(hint !== undefined && { hint }) };
  return new ReinsError({ code: 'wrong_usage', message: told, ...more }, { cause });
}

export function wrongUsage(message: string, hint?: string): ReinsError {
  return new ReinsError({ code: 'wrong_usage', message, ...(hint !== undefined && { hint }) });
}
