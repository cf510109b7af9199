import type { ErrorInfo, EventOf } from '@reins/contracts';
import type { EffectState, EntryDraft } from '@reins/journal';
import { attemptFailed } from './attempts.ts';

/** What a deadline that has passed makes of a pending effect; nothing where that came in time. Pure. */
export function overdue(effect: EffectState, timer: EventOf<'timer.due'>['timer']): EntryDraft[] {
  const { effectId, attempt, status } = effect;
  switch (timer) {
    case 'wake':
      return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'ok', value: null } }];
    case 'expiry': {
      const error = expired(effect);
      return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error, retryable: false } }];
    }
    case 'start':
      return status === 'requested' ? notStarted(effect) : [];
    case 'run':
      return status === 'waiting' ? [] : neverHeardOf(effect);
    default:
      return [];
  }
}

/** Nobody gave what the effect waited for. */
function expired({ expiresAt, kind, request }: EffectState): ErrorInfo {
  const until = request.expiresAt ?? 'its deadline';
  switch (kind) {
    case 'breakpoint':
    case 'approval':
      return { code: 'approval_expired', message: `nobody decided until ${until}` };
    case 'signal':
      return { code: 'signal_timeout', message: `no signal ${request.name} came until ${until}` };
    default:
      return { code: 'question_expired', message: `nobody answered the question until ${expiresAt}` };
  }
}

/** Not begun is a failure. */
function notStarted(effect: EffectState): EntryDraft[] {
  const message = `no worker began within ${effect.limits.startWithinMs} ms`;
  return attemptFailed(effect, { error: { code: 'effect_not_started', message }, retryable: true, outcome: 'failed' });
}

/** Begun and never heard of again is an outcome that nobody knows. */
function neverHeardOf(effect: EffectState): EntryDraft[] {
  const message = `no end was heard of within ${effect.limits.runForMs} ms`;
  return attemptFailed(effect, { error: { code: 'effect_timed_out', message }, retryable: true, outcome: 'unknown' });
}
