import { existsSync, statSync } from 'node:fs';
import { defined, isStage, problemOf, ReinsError, STAGES, type Stage } from '@reins/contracts';

/** Parses a positive integer. @throws ReinsError `wrong_usage` */
export function wholeNumber(text: string, name: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw wrongUsage(`${name} must be a positive integer (got ${JSON.stringify(text)})`);
}

/** Returns the path of an existing folder. @throws ReinsError `wrong_usage` */
export function folder(path: string): string {
  if (existsSync(path) && statSync(path).isDirectory()) return path;
  throw wrongUsage(`folder ${path} ${existsSync(path) ? 'is a file' : 'does not exist'}`, 'Pass an existing folder.');
}

/** Parses the name of a stage. @throws ReinsError `wrong_usage` */
export function stageName(text: string): Stage {
  if (isStage(text)) return text;
  throw wrongUsage(`unknown stage ${text}`, `Use one of ${STAGES.join(', ')}.`);
}

/** Parses the values of `--stage <stage>=<runtime>`. @throws ReinsError `wrong_usage` */
export function stagesOption(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [stage = '', runtime = ''] = pair.split('=', 2);
      if (isStage(stage) && runtime) return [stage, runtime];
      throw wrongUsage(`--stage must be <${STAGES.join('|')}>=<runtime> (got ${pair})`);
    }),
  );
}

/**
 * The error for a file on the command line that cannot be read, with the reason of the file system.
 * @param option the option that named the file; undefined for an argument
 */
export function unreadable(file: string, cause: unknown, option?: string): ReinsError {
  const { message, path = '', hint } = problemOf(cause);
  const reason = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  const text = `${option === undefined ? '' : `${option}: `}cannot read ${file}: ${reason}`;
  const more = defined({ path: option, hint });
  return new ReinsError({ code: 'wrong_usage', message: text, ...more }, { cause });
}

export function wrongUsage(message: string, hint?: string): ReinsError {
  return new ReinsError({ code: 'wrong_usage', message, ...defined({ hint }) });
}
