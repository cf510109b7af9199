import { type ErrorInfo, isRetryable, type Problem, problemOf, type Usage } from '@reins/contracts';
import type { HarnessResult } from '../contract.ts';

/** The optional fields of a result. */
export interface ResultExtras {
  readonly usage?: Usage;
  readonly harnessSessionId?: string;
}

/** The result of an execution that threw an error. */
export function failedResult(error: unknown, extras: ResultExtras = {}): HarnessResult {
  const problem = problemOf(error);
  return { status: 'failed', error: problem, retryable: isRetryable(problem.code), ...extras };
}

/** The result of an execution that exceeded a deadline. */
export function timedOutResult(error: ErrorInfo, extras: ResultExtras = {}): HarnessResult {
  return { status: 'failed', error, retryable: true, ...extras };
}

/** The result of an execution that ended without reporting one. */
export function unknownResult(error: Problem, extras: ResultExtras = {}): HarnessResult {
  return { status: 'unknown', error, retryable: isRetryable(error.code), ...extras };
}
