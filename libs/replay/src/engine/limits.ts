import type { Limits } from '@reins/contracts';
import { type EffectState, effectKind, isHook } from '@reins/journal';

/** The limits of an effect of this kind, unless the process sets others. */
export const limitsOf = (kind: string, own: Partial<Limits> = {}): Limits => ({ ...effectKind(kind).limits, ...own });

/** The default timeout of a hook. */
export const HOOK_TIMEOUT_MS = 30_000;

/** A timeout that the process set counts from the request, which distinguishes it from the default. */
export const hookLimits = (timeout?: number): Partial<Limits> =>
  timeout === undefined ? { runForMs: HOOK_TIMEOUT_MS } : { startWithinMs: timeout, runForMs: timeout };

/** The limits of an effect whose process set none. */
export function usualLimits(effect: EffectState): Limits {
  const { kind, limits } = effect;
  const usual = limitsOf(kind);
  const isUsualHook = isHook(effect) && limits.startWithinMs === usual.startWithinMs;
  return isUsualHook ? { ...usual, ...hookLimits() } : usual;
}
