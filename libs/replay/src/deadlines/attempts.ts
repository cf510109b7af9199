import type { ErrorInfo, JsonObject, Usage } from '@reins/contracts';
import { type EffectState, type EntryDraft, isStalled } from '@reins/journal';

export interface Failure {
  readonly error: ErrorInfo;
  readonly retryable: boolean;
  /** `unknown`: the work may have been done, but its end was not seen. */
  readonly outcome: 'failed' | 'unknown';
  readonly usage?: Usage;
  /** All problems, if there are more than the error. */
  readonly problems?: readonly ErrorInfo[];
}

/** The error of an attempt that no worker claimed. */
export const NOT_STARTED = 'effect_not_started';

/**
 * The entries after a failed attempt: the next attempt with the same request if the limits allow it, otherwise the end
 * of the effect. An unknown outcome is retried only if `onUnknown` says so, and a stage without progress unless
 * `onTimeout` forbids it.
 */
export function attemptFailed(effect: EffectState, failure: Failure): EntryDraft[] {
  const { effectId, attempt, limits } = effect;
  const { error, outcome, retryable, usage, problems } = failure;
  const allowed = outcome === 'unknown' ? limits.onUnknown === 'retry' : retryable;
  const again = allowed && !(limits.onTimeout === 'fail' && isStalled(error.code));
  if (again && attemptsLike(effect, error) < limits.maxAttempts) {
    const next = { nextAttempt: attempt + 1, nextDirective: 'retry' } as const;
    return [
      {
        type: 'EFFECT_ATTEMPT_FAILED',
        data: { effectId, attempt, outcome, error, retryable, ...next, ...(usage && { usage }) },
      },
    ];
  }
  const value: JsonObject = {
    outcome,
    ...(usage && { usage: { ...usage } }),
    ...(problems && { problems: problems.map((problem) => ({ ...problem })) }),
  };
  return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error, retryable, value } }];
}

/**
 * The number of attempts that count towards the limit of this failure. Attempts that no worker claimed are counted
 * separately: they did no work.
 */
function attemptsLike({ attempt, failures }: EffectState, { code }: ErrorInfo): number {
  const notStarted = failures.filter(({ error }) => error.code === NOT_STARTED).length;
  return code === NOT_STARTED ? notStarted + 1 : attempt - notStarted;
}
