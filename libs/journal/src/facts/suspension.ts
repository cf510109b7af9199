import type { RunState } from '../state/run-state.ts';
import { runDirective } from './directives.ts';
import { fact, type Told } from './told.ts';

/** The run does not wait for this any more. What it waits for beside it is told once more: whoever reads along knows the last wait only. */
export function resumed(state: RunState, effectId: string, why: string): Told[] {
  return [
    fact('runtime.request.resumed', { effectId }),
    runDirective(state, 'continue', why),
    ...stillWaiting(state, effectId),
  ];
}

function stillWaiting(state: RunState, ended: string): Told[] {
  for (const [effectId, reason] of state.waiting) {
    if (effectId === ended) continue;
    const expiresAt = expiryOf(state, effectId);
    return [fact('runtime.request.waiting', { reason, effectId, ...(expiresAt !== undefined && { expiresAt }) })];
  }
  return [];
}

function expiryOf({ run, effects, processError }: RunState, effectId: string): string | undefined {
  if (effectId === run.runId) return processError?.expiresAt;
  const effect = effects.get(effectId);
  const asked = effect?.request.expiresAt;
  return typeof asked === 'string' ? asked : effect?.expiresAt;
}
