import type { JsonObject } from '@reins/contracts';
import { type Forked, pendingEffects, type RunState } from './run-state.ts';

/**
 * How the first entry of a request describes the run that it shares entries with. Undefined for run directories, which
 * share effect ids instead.
 */
export function forkedOf(from: JsonObject | undefined): Forked | undefined {
  const { identity, shared, at } = from ?? {};
  const isRequest = typeof identity === 'string' && typeof shared === 'number' && typeof at === 'string';
  return isRequest ? { identity, shared, at } : undefined;
}

/** A fork requests the pending effects of the shared entries itself, so their time starts when the fork is made. */
export function restartPendingEffects(state: RunState, at: string): void {
  for (const effect of pendingEffects(state))
    state.effects.set(effect.effectId, { ...effect, firstRequestedAt: at, requestedAt: at });
}
