import type { JsonObject } from '@reins/contracts';
import { type Forked, pendingEffects, type RunState } from './run-state.ts';

/** What the first entry of a request says about the one whose first entries it shares; of a run directory there is nothing to tell. */
export function forkedOf(from: JsonObject | undefined): Forked | undefined {
  const { identity, shared, at } = from ?? {};
  const isRequest = typeof identity === 'string' && typeof shared === 'number' && typeof at === 'string';
  return isRequest ? { identity, shared, at } : undefined;
}

/** What the shared entries of a fork left pending is asked for by the fork, and its time begins with that. */
export function askAnew(state: RunState, at: string): void {
  for (const effect of pendingEffects(state))
    state.effects.set(effect.effectId, { ...effect, askedAt: at, requestedAt: at });
}
