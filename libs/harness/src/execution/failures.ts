import { type ErrorInfo, isRetryable, type Problem, problemOf, type Usage } from '@reins/contracts';
import type { HarnessEnd } from '../contract.ts';

/** What an end may carry besides its status. */
export interface EndExtras {
  readonly usage?: Usage;
  readonly harnessSessionId?: string;
}

/** The end of an execution that failed with anything thrown. */
export function failedEnd(error: unknown, extras: EndExtras = {}): HarnessEnd {
  const problem = problemOf(error);
  return { status: 'failed', error: problem, retryable: isRetryable(problem.code), ...extras };
}

/** The end of an execution that a deadline ended. */
export function expiredEnd(error: ErrorInfo, extras: EndExtras = {}): HarnessEnd {
  return { status: 'failed', error, retryable: true, ...extras };
}

/** The end of an execution that nobody saw end. */
export function unknownEnd(error: Problem, extras: EndExtras = {}): HarnessEnd {
  return { status: 'unknown', error, retryable: isRetryable(error.code), ...extras };
}
