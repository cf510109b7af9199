import { defined, type ErrorInfo, type EventOf } from '@reins/contracts';
import { type EffectState, type EntryDraft, pendingEffects, type RunState } from '@reins/journal';

/** What the process of a run still waits for. */
export interface ProcessView {
  /** The process has ended, clean-up included. */
  readonly hasEnded: boolean;
  waitsFor(effectId: string): boolean;
}

/** Work that a host has claimed is cancelled when the host confirms. Everything else is cancelled immediately. */
const isRunning = ({ status, suspended }: EffectState): boolean =>
  status === 'claimed' || status === 'started' || (status === 'waiting' && !suspended);

/** Records a cancel command. The process unwinds first. A repeated command changes nothing. */
export function cancelRequested(
  state: RunState,
  { idempotencyKey, reason, requestedBy }: EventOf<'command.run.cancel'>,
): EntryDraft[] {
  if (state.cancelRequested) return [];
  const data = {
    idempotencyKey,
    ...defined({ reason, requestedBy }),
  };
  return [{ type: 'RUN_CANCEL_REQUESTED', data }];
}

/**
 * The next entries of a run that is being cancelled, once its process is quiescent. Abandoned effects are cancelled;
 * those on a host are cancelled when the host confirms. The run ends when the clean-up is done and no host is working.
 */
export function continueCancellation(state: RunState, process: ProcessView): EntryDraft[] {
  const left = pendingEffects(state).filter(({ effectId }) => !process.waitsFor(effectId));
  const canEnd = process.hasEnded && !left.some(isRunning);
  return [
    ...cancelAll(left.filter((effect) => !isRunning(effect))),
    ...(canEnd ? [runCancelled(state.cancelRequested?.reason)] : []),
  ];
}

/** Cancels all pending effects and ends the run as cancelled. */
export function cancelNow(state: RunState): EntryDraft[] {
  return [...cancelAll(pendingEffects(state)), runCancelled(state.cancelRequested?.reason)];
}

/** Cancels all pending effects and fails the run. */
export function failNow(state: RunState, error: ErrorInfo): EntryDraft[] {
  return [...cancelAll(pendingEffects(state)), { type: 'RUN_FAILED', data: { error } }];
}

/** Cancels effects without a worker's confirmation. Their workers are notified after the commit. */
export const cancelAll = (effects: readonly EffectState[], reason?: string): EntryDraft[] =>
  effects.map(({ effectId, attempt }) => ({
    type: 'EFFECT_CANCELLED',
    data: { effectId, attempt, confirmed: false, ...defined({ reason }) },
  }));

/** The last entry of a cancelled run. */
export const runCancelled = (reason: string | undefined): EntryDraft => ({
  type: 'RUN_CANCELLED',
  data: reason === undefined ? {} : { reason },
});
