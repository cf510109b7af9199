import { isObject } from '../validation/checks.ts';
import { ERROR_CODES, type ErrorCode } from './codes.ts';
import type { Problem } from './problem.ts';

/**
 * The log line of a problem that ends this process. A supervisor reads it, to report the cause of the exit.
 * @param service the name in the log line
 */
export function fatalLine(service: string, { code, message, path, hint }: Problem): string {
  return JSON.stringify({ level: 'fatal', time: new Date().toISOString(), service, code, path, hint, msg: message });
}

/** The problem in a log line of a process that could not continue; undefined for every other line. */
export function fatalProblemIn(line: string): Problem | undefined {
  if (!line.includes('"level":"fatal"')) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    if (!isObject(parsed) || typeof parsed.msg !== 'string') return undefined;
    const { code, path, hint } = parsed;
    return {
      code: isErrorCode(code) ? code : 'internal_error',
      message: parsed.msg,
      ...(typeof path === 'string' && { path }),
      ...(typeof hint === 'string' && { hint }),
    };
  } catch {
    return undefined;
  }
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
