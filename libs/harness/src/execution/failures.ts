import { type ErrorInfo, isRetryable, type Problem, problemOf, type Usage } from '@reins/contracts';
import type { HarnessResult } from '../contract.ts';

/** What an end may carry besides its status. */
export interface ResultExtras {
  readonly usage?: Usage;
  readonly harnessSessionId?: string;
}

/** The end of an execution that failed with anything thrown. */
export function failedResult(error: unknown, extras: ResultExtras = {}): HarnessResult {
  const problem = problemOf(error);
  return { status: 'failed', error: problem, retryable: isRetryable(problem.code), ...extras };
}

/** The end of an execution that a deadline ended. */
export function timedOutResult(error: ErrorInfo, extras: ResultExtras = {}): HarnessResult {
  return { status: 'failed', error, retryable: true, ...extras };
}

/** The end of an execution that nobody saw end. */
export function unknownResult(error: Problem, extras: ResultExtras = {}): HarnessResult {
  return { status: 'unknown', error, retryable: isRetryable(error.code), ...extras };
}
