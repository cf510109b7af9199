import { ERROR_CODES, type ErrorCode } from './codes.ts';
import { storageProblem } from './storage-problem.ts';

/** One thing that is wrong, in the form in which every part of the system tells it. */
export interface Problem {
  readonly code: ErrorCode;
  /** What is wrong, in plain words. Never holds a secret. */
  readonly message: string;
  /** Where: a field path (`pipeline.stages[0]`), a file, a subject. */
  readonly path?: string;
  /** What to do about it. */
  readonly hint?: string;
}

const BRAND = Symbol.for('reins.error');

/**
 * The error of every edge: one or more problems, found together. `code`, `path` and `hint` are those of the first one.
 * Instances are recognised by a registered symbol, so that two copies of this module in one process agree.
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

/** The problem that stands for any thrown value: its own when it has one, `storage_failed` of the file system, `internal_error` otherwise. */
export function problemOf(error: unknown): Problem {
  if (isReinsError(error)) return error.problems[0] as Problem;
  const storage = storageProblem(error);
  if (storage) return storage;
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
}

/** Whether the same work may succeed when it is tried again. */
export function isRetryable(code: ErrorCode): boolean {
  return ERROR_CODES[code].retryable;
}
