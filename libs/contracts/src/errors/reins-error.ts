import { ERROR_CODES, type ErrorCode } from './codes.ts';
import type { Problem } from './problem.ts';
import { storageProblem } from './storage-problem.ts';

const BRAND = Symbol.for('reins.error');

/**
 * The error type of all public interfaces, with one or more problems that were found together. `code`, `path` and
 * `hint` are those of the first problem. Instances are recognised by a registered symbol, so that several copies of
 * this module in one process work together.
 */
export class ReinsError extends Error {
  readonly problems: readonly Problem[];
  readonly [BRAND] = true;

  constructor(problems: Problem | readonly Problem[], options?: ErrorOptions) {
    const list = (Array.isArray(problems) ? problems : [problems]) as readonly Problem[];
    const first = list[0];
    if (!first) throw new TypeError('a ReinsError needs at least one problem');
    super(list.length === 1 ? first.message : `${first.message} (and ${list.length - 1} more)`, options);
    this.name = 'ReinsError';
    this.problems = list;
  }

  get code(): ErrorCode {
    return (this.problems[0] as Problem).code;
  }
  get path(): string | undefined {
    return this.problems[0]?.path;
  }
  get hint(): string | undefined {
    return this.problems[0]?.hint;
  }
}

export function isReinsError(value: unknown): value is ReinsError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/**
 * Converts any thrown value to a problem: its own problem, `storage_failed` for a file system error, otherwise
 * `internal_error`.
 */
export function problemOf(error: unknown): Problem {
  if (isReinsError(error)) return error.problems[0] as Problem;
  const storage = storageProblem(error);
  if (storage) return storage;
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
}

/** Whether a retry may succeed. */
export function isRetryable(code: ErrorCode): boolean {
  return ERROR_CODES[code].retryable;
}
