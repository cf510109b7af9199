import { effectKind } from '../effects/effect-kinds.ts';
import type { EffectState, RunState } from '../state/run-state.ts';
import { effectIdentity } from './effect-identity.ts';
import { type FactDraft, fact, optional } from './fact-draft.ts';
import { runResumed } from './suspension.ts';

/**
 * The facts of a cancelled effect: its workers and approvers are informed, and a run that waited for it continues
 * unless it is being cancelled.
 */
export function cancelled(state: RunState, effect: EffectState, reason: string): FactDraft[] {
  const isContinued = effectKind(effect.kind).suspension && !state.cancelRequested;
  return [...workCancelled(effect, reason), ...(isContinued ? runResumed(state, effect.effectId, reason) : [])];
}

function workCancelled(effect: EffectState, reason: string): FactDraft[] {
  const { facts, failsWhenCancelled, resolvedBy } = effectKind(effect.kind);
  if (facts.cancelled) return [fact(facts.cancelled, effectIdentity(effect))];
  if (resolvedBy === 'decision') {
    const approvalId = effect.request.approvalId ?? effect.effectId;
    return [fact('runtime.approval.resolved', { approvalId, decision: 'expired', decidedBy: '', comment: reason })];
  }
  if (!failsWhenCancelled) return [];
  return optional(facts.failed, { ...effectIdentity(effect), error: { code: 'effect_cancelled', message: reason } });
}
