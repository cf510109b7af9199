import type { ErrorInfo, EventOf } from '@reins/contracts';
import { type EffectState, type EntryDraft, effectKind } from '@reins/journal';
import { attemptFailed, NOT_STARTED } from './attempts.ts';
import { prepareForMs } from './effect-deadline.ts';

/**
 * The entries for a pending effect whose deadline has passed; empty if the deadline no longer applies. Pure.
 * @param waitedMs how long the attempt waited for a worker, if that is longer than its limit
 */
export function deadlineEntries(
  effect: EffectState,
  timer: EventOf<'timer.due'>['timer'],
  waitedMs: number = effect.limits.startWithinMs,
): EntryDraft[] {
  const { effectId, attempt, status } = effect;
  switch (timer) {
    case 'wake':
      return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'ok', value: null } }];
    case 'expiry': {
      const error = expired(effect);
      return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error, retryable: false } }];
    }
    case 'start':
      return status === 'requested' ? notStarted(effect, waitedMs) : [];
    case 'prepare':
      return status === 'claimed' ? startNotReported(effect) : [];
    case 'run':
      return status === 'waiting' ? [] : endNotReported(effect);
    default:
      return [];
  }
}

/** The error of an effect that waited in vain. */
function expired({ expiresAt, kind, request }: EffectState): ErrorInfo {
  const question = { code: 'question_expired', message: `no answer to the question before ${expiresAt}` };
  return effectKind(kind).suspension?.expired?.(request) ?? question;
}

/** An attempt that no worker claimed has failed. The caller has made sure that no worker will claim it. */
function notStarted(effect: EffectState, waitedMs: number): EntryDraft[] {
  const message = `no worker claimed the attempt within ${waitedMs} ms`;
  return attemptFailed(effect, { error: { code: NOT_STARTED, message }, retryable: true, outcome: 'failed' });
}

/** An attempt that was claimed but not started has an unknown outcome: its preparation runs setup code. */
function startNotReported(effect: EffectState): EntryDraft[] {
  const message = `the attempt was not prepared within ${prepareForMs(effect.limits)} ms`;
  return attemptFailed(effect, { error: { code: 'effect_timed_out', message }, retryable: true, outcome: 'unknown' });
}

/** An attempt that started but did not report its end has an unknown outcome. */
function endNotReported(effect: EffectState): EntryDraft[] {
  const message = `the attempt did not end within ${effect.limits.runForMs} ms`;
  return attemptFailed(effect, { error: { code: 'effect_timed_out', message }, retryable: true, outcome: 'unknown' });
}
