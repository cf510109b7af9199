import type { EventOf } from '@reins/contracts';
import type { EffectState, EntryDraft, RunState } from '@reins/journal';
import { approvalExpired } from './approvals.ts';
import { attemptFailed } from './attempts.ts';
import { cancelAll, cancelNow, failNow } from './cancel.ts';
import { awaited, type Circumstances, isLetGo } from './circumstances.ts';

/** What a deadline that has passed makes of a run. Pure. */
export function timerDue(
  state: RunState,
  { effectId, attempt, timer }: EventOf<'timer.due'>,
  circumstances: Circumstances,
): EntryDraft[] {
  if (timer === 'grace') return state.cancelRequested ? cancelNow(state) : [];
  if (timer === 'expiry' && effectId === state.run.runId) return nobodyHelped(state);
  const effect = awaited(state, { effectId, attempt });
  if (!effect) return [];
  if (isLetGo(state, effect, circumstances)) return cancelAll([effect]);
  switch (timer) {
    case 'wake':
      return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'ok', value: null } }];
    case 'expiry':
      return expired(effect);
    case 'start':
      return effect.status === 'requested' ? notStarted(effect) : [];
    case 'run':
      return effect.status === 'waiting' ? [] : neverHeardOf(effect);
    default:
      return [];
  }
}

/** A run that nobody gave the process that it lacks, or whose process nobody mended. */
function nobodyHelped(state: RunState): EntryDraft[] {
  const { assignBy, processError } = state;
  if (processError) return failNow(state, processError.error);
  if (assignBy === undefined) return [];
  return failNow(state, {
    code: 'process_missing',
    message: `nobody gave the run a process until ${assignBy}`,
    hint: 'submit the request again with its process, or give it one in time: `reins run:assign-process`',
  });
}

/** Nobody gave what the effect waited for. */
function expired(effect: EffectState): EntryDraft[] {
  const { effectId, attempt, expiresAt, kind, request } = effect;
  if (kind === 'breakpoint' || kind === 'approval') return approvalExpired(effect);
  const error =
    kind === 'signal'
      ? {
          code: 'signal_timeout',
          message: `no signal ${request.name} came until ${request.expiresAt ?? 'its deadline'}`,
        }
      : { code: 'question_expired', message: `nobody answered the question until ${expiresAt}` };
  return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error, retryable: false } }];
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
