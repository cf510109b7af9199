import type { EffectState, RunState } from '../state/run-state.ts';
import { effectKind } from './effect-kinds.ts';
import { effectIdentity, type FactDraft, fact, optional } from './fact-draft.ts';
import { runResumed } from './suspension.ts';

/**
 * The facts of a cancelled effect: its workers and approvers are informed, and a run that waited for it continues
 * unless it is being cancelled.
 */
export function cancelled(state: RunState, effect: EffectState, reason: string): FactDraft[] {
  const isContinued = effectKind(effect.kind).waiting && !state.cancelRequested;
  return [...workCancelled(effect, reason), ...(isContinued ? runResumed(state, effect.effectId, reason) : [])];
}

/** A kind without a cancelled fact publishes its failed fact. */
function workCancelled(effect: EffectState, reason: string): FactDraft[] {
  const kind = effectKind(effect.kind);
  if (kind.cancelled) return [fact(kind.cancelled, effectIdentity(effect))];
  if (effect.kind === 'breakpoint' || effect.kind === 'approval') {
    const approvalId = effect.request.approvalId ?? effect.effectId;
    return [fact('runtime.approval.resolved', { approvalId, decision: 'expired', decidedBy: '', comment: reason })];
  }
  if (!WORK_OUTSIDE.has(effect.kind)) return [];
  return optional(kind.failed, { ...effectIdentity(effect), error: { code: 'effect_cancelled', message: reason } });
}

/** Kinds other than stages whose work is done outside of the owner and visible to others. */
const WORK_OUTSIDE: ReadonlySet<string> = new Set(['task', 'tool.direct', 'workflow', 'child']);
