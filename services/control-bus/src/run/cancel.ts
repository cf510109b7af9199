import type { ErrorInfo, EventOf } from '@reins/contracts';
import { type EffectState, type EntryDraft, pendingEffects, type RunState } from '@reins/journal';

/** What of a run its process still wants. */
export interface ProcessView {
  /** The process has come to its end, clean-up included. */
  readonly hasEnded: boolean;
  waitsFor(effectId: string): boolean;
}

/** Work that a host has begun is asked to stop and waited for; everything else ends at once. */
const isRunning = (effect: EffectState): boolean => effect.status === 'started' || effect.status === 'waiting';

/** Somebody wants the run to end. A repeated wish changes nothing. The process unwinds first. */
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
  return [{ type: 'RUN_CANCEL_REQUESTED', data }];
}

/**
 * What a run that is being cancelled comes to when its process is at rest: the effects that the process has let go of are
 * cancelled, those on a host when it says so; and when the clean-up is through and no host works any more, the run has ended.
 */
export function continueCancellation(state: RunState, process: ProcessView): EntryDraft[] {
  const left = pendingEffects(state).filter(({ effectId }) => !process.waitsFor(effectId));
  const over = process.hasEnded && !left.some(isRunning);
  return [
    ...cancelAll(left.filter((effect) => !isRunning(effect))),
    ...(over ? [runCancelled(state.cancelRequested?.reason)] : []),
  ];
}

/** The run's end as cancelled, with everything that is still open. */
export function cancelNow(state: RunState): EntryDraft[] {
  return [...cancelAll(pendingEffects(state)), runCancelled(state.cancelRequested?.reason)];
}

/** The end of a run whose process failed by itself, and that nobody recovered in time. */
export function failNow(state: RunState, error: ErrorInfo): EntryDraft[] {
  return [...cancelAll(pendingEffects(state)), { type: 'RUN_FAILED', data: { error } }];
}

/** Nobody has confirmed it: who works on it is told after the commit. */
export const cancelAll = (effects: readonly EffectState[], reason?: string): EntryDraft[] =>
  effects.map(({ effectId, attempt }) => ({
    type: 'EFFECT_CANCELLED',
    data: { effectId, attempt, confirmed: false, ...(reason !== undefined && { reason }) },
  }));

/** The end of a run that somebody wished to end. */
export const runCancelled = (reason: string | undefined): EntryDraft => ({
  type: 'RUN_CANCELLED',
  data: reason === undefined ? {} : { reason },
});
