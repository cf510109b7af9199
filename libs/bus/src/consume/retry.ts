import { isReinsError, isRetryable, type Problem, problemOf } from '@reins/contracts';
import { errorText } from './error-text.ts';

export interface RetryPolicy {
  /** Delay before the n-th retry; the last one repeats. */
  readonly delaysMs: readonly number[];
  /**
   * Number of failed attempts after which a message is dead, or is held because a dependency of its handler stays
   * unavailable.
   */
  readonly maxTries: number;
}

export const DEFAULT_RETRY: RetryPolicy = { delaysMs: [100, 1_000, 5_000, 15_000, 30_000], maxTries: 6 };

/** Another host works on this message. Other messages are not affected. */
const BUSY_ELSEWHERE = 'stage_claimed';

/** The failed attempts of a message. */
export interface Failures {
  readonly tries: number;
  /** Those that are the message's own fault. */
  readonly counted: number;
}

export const NO_FAILURES: Failures = { tries: 0, counted: 0 };

export type FailureAction =
  | {
      readonly kind: 'again';
      readonly delayMs: number;
      /** The failures, including this one. A failure does not count when a dependency of the handler is unavailable. */
      readonly failures: Failures;
      /** The message has failed too often to keep a place in memory. */
      readonly isStuck: boolean;
      /** A dependency of the handler is unavailable, probably also for other messages. */
      readonly isOutage: boolean;
      readonly problem: Problem;
    }
  | { readonly kind: 'dead'; readonly problem: Problem };

/** Whether a retry cannot succeed, because the error has a code that is not retryable. */
export function isPermanent(error: unknown): boolean {
  return isReinsError(error) && error.code !== 'internal_error' && !isRetryable(error.code);
}

/** Decides between a retry and a dead letter. @param before the earlier failures of the message */
export function classifyFailure(error: unknown, before: Failures, policy: RetryPolicy): FailureAction {
  const problem: Problem = isReinsError(error)
    ? problemOf(error)
    : { code: 'internal_error', message: errorText(error) };
  if (isPermanent(error)) return { kind: 'dead', problem };
  const counts = !isRetryable(problem.code);
  const failures = { tries: before.tries + 1, counted: before.counted + Number(counts) };
  if (counts && failures.counted >= policy.maxTries) {
    const message = `failed ${failures.counted} times, last error: ${problem.message}`;
    return { kind: 'dead', problem: { ...problem, code: 'delivery_exhausted', message } };
  }
  const delayMs = policy.delaysMs[Math.min(before.tries, policy.delaysMs.length - 1)] ?? 0;
  const isStuck = !counts && failures.tries >= policy.maxTries;
  return { kind: 'again', delayMs, failures, isStuck, isOutage: !counts && problem.code !== BUSY_ELSEWHERE, problem };
}

/** A random delay between half of `ms` and `ms`, so that many retries do not happen at once. @param fraction 0 to 1 */
export const jittered = (ms: number, fraction: number): number => (ms * (1 + fraction)) / 2;
