import type { ErrorInfo, EventOf } from '@reins/contracts';
import { type EffectState, type EntryDraft, pendingEffects, type RunState } from '@reins/journal';

/** Work that a host has begun is asked to stop and waited for; everything else ends at once. */
const isRunning = (effect: EffectState): boolean => effect.status === 'started' || effect.status === 'waiting';

/** Somebody wants the run to end. A repeated wish changes nothing. */
export function cancelRequested(
  state: RunState,
  { idempotencyKey, reason, requestedBy }: EventOf<'command.run.cancel'>,
): EntryDraft[] {
  if (state.cancelRequested) return [];
  const data = {
    idempotencyKey,
    ...(reason !== undefined && { reason }),
    ...(requestedBy !== undefined && { requestedBy }),
  };
  const requested: EntryDraft = { type: 'RUN_CANCEL_REQUESTED', data };
  const pending = pendingEffects(state);
  if (pending.some(isRunning)) return [requested, ...cancelAll(pending.filter((effect) => !isRunning(effect)))];
  return [requested, ...cancelAll(pending), end(reason)];
}

/** The run's end as cancelled, with everything that is still open. */
export function cancelNow(state: RunState, { except }: { readonly except?: string }): EntryDraft[] {
  const open = pendingEffects(state).filter((effect) => effect.effectId !== except);
  if (except !== undefined && open.some(isRunning)) return [];
  return [...cancelAll(open), end(state.cancelRequested?.reason)];
}

/** The end of a run whose process failed by itself, and that nobody recovered in time. */
export function failNow(state: RunState, error: ErrorInfo): EntryDraft[] {
  return [...cancelAll(pendingEffects(state)), { type: 'RUN_FAILED', data: { error } }];
}

const cancelAll = (effects: readonly EffectState[]): EntryDraft[] =>
  effects.map(({ effectId, attempt }) => ({ type: 'EFFECT_CANCELLED', data: { effectId, attempt, confirmed: false } }));

const end = (reason: string | undefined): EntryDraft => ({
  type: 'RUN_CANCELLED',
  data: reason === undefined ? {} : { reason },
});
