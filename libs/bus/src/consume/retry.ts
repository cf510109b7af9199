import { isReinsError, isRetryable, type Problem, problemOf } from '@reins/contracts';
import { errorText } from './error-text.ts';

export interface RetryPolicy {
  /** Delay before the n-th retry; the last one repeats. */
  readonly delaysMs: readonly number[];
  /** Number of failed attempts after which a message is dead. */
  readonly maxTries: number;
}

export const DEFAULT_RETRY: RetryPolicy = { delaysMs: [100, 1_000, 5_000, 15_000, 30_000], maxTries: 6 };

export type FailureAction =
  /** `counts` is false when a dependency of the handler is unavailable, which is not the message's fault. */
  | { readonly kind: 'again'; readonly delayMs: number; readonly counts: boolean }
  | { readonly kind: 'dead'; readonly problem: Problem };

/** Whether a retry cannot succeed, because the error has a code that is not retryable. */
export function isPermanent(error: unknown): boolean {
  return isReinsError(error) && error.code !== 'internal_error' && !isRetryable(error.code);
}

/** Decides between a retry and a dead letter. `failures` is the number of earlier failures that counted. */
export function classifyFailure(error: unknown, failures: number, policy: RetryPolicy): FailureAction {
  const problem: Problem = isReinsError(error)
    ? problemOf(error)
    : { code: 'internal_error', message: errorText(error) };
  if (isPermanent(error)) return { kind: 'dead', problem };
  const counts = !isRetryable(problem.code);
  if (counts && failures + 1 >= policy.maxTries) {
    const message = `failed ${failures + 1} times, last error: ${problem.message}`;
    return { kind: 'dead', problem: { ...problem, code: 'delivery_exhausted', message } };
  }
  const last = policy.delaysMs.length - 1;
  return { kind: 'again', delayMs: policy.delaysMs[Math.min(failures, last)] ?? 0, counts };
}
