import type { EffectState, RunState } from '../state/run-state.ts';
import { effectKind } from './effect-kinds.ts';
import { resumed } from './suspension.ts';
import { fact, identity, optional, type Told } from './told.ts';

/** Whoever works on it, or was asked to decide, must know; a run that waited for it and shall not end goes on. */
export function cancelled(state: RunState, effect: EffectState, reason: string): Told[] {
  const goesOn = effectKind(effect.kind).waiting && !state.cancelRequested;
  return [...workCancelled(effect, reason), ...(goesOn ? resumed(state, effect.effectId, reason) : [])];
}

/** Where a kind has no fact of its own for that, it has failed. */
function workCancelled(effect: EffectState, reason: string): Told[] {
  const kind = effectKind(effect.kind);
  if (kind.cancelled) return [fact(kind.cancelled, identity(effect))];
  if (effect.kind === 'breakpoint' || effect.kind === 'approval') {
    const approvalId = effect.request.approvalId ?? effect.effectId;
    return [fact('runtime.approval.resolved', { approvalId, decision: 'expired', decidedBy: '', comment: reason })];
  }
  if (!WORK_OUTSIDE.has(effect.kind)) return [];
  return optional(kind.failed, { ...identity(effect), error: { code: 'effect_cancelled', message: reason } });
}

/** Work that others see as work of its own, beside stages. */
const WORK_OUTSIDE: ReadonlySet<string> = new Set(['task', 'tool.direct', 'workflow', 'child']);
