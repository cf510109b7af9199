import { isReinsError, isRetryable, type Problem, problemOf } from '@reins/contracts';
import { errorText } from './error-text.ts';

export interface RetryPolicy {
  /** The wait before the n-th try again; the last one repeats. */
  readonly delaysMs: readonly number[];
  /** Failed tries after which a message is dead. */
  readonly maxTries: number;
}

export const DEFAULT_RETRY: RetryPolicy = { delaysMs: [100, 1_000, 5_000, 15_000, 30_000], maxTries: 6 };

export type FailureAction =
  /** `counts`: false while something that the handler needs is away, which is no fault of the message. */
  | { readonly kind: 'again'; readonly delayMs: number; readonly counts: boolean }
  | { readonly kind: 'dead'; readonly problem: Problem };

/** Whether no later try can end otherwise: the error says so itself, by a code that is not retryable. */
export function isPermanent(error: unknown): boolean {
  return isReinsError(error) && error.code !== 'internal_error' && !isRetryable(error.code);
}

/** What follows from a failed try; `failures` are the tries that counted before it. */
export function classifyFailure(error: unknown, failures: number, policy: RetryPolicy): FailureAction {
  const problem: Problem = isReinsError(error)
    ? problemOf(error)
    : { code: 'internal_error', message: errorText(error) };
  if (isPermanent(error)) return { kind: 'dead', problem };
  const counts = !isRetryable(problem.code);
  if (counts && failures + 1 >= policy.maxTries) {
    const message = `failed ${failures + 1} times, the last time with: ${problem.message}`;
    return { kind: 'dead', problem: { ...problem, code: 'delivery_exhausted', message } };
  }
  const last = policy.delaysMs.length - 1;
  return { kind: 'again', delayMs: policy.delaysMs[Math.min(failures, last)] ?? 0, counts };
}
