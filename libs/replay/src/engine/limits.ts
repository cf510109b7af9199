import type { Limits } from '@reins/contracts';
import { type EffectState, effectKind } from '@reins/journal';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** Work for a service of ours: a place in its queue within minutes, an hour to do it, one more try. */
const WORK: Limits = { maxAttempts: 2, onUnknown: 'retry', runForMs: 60 * MINUTE, startWithinMs: 10 * MINUTE };
/** What waits for a person, for time or for somebody else's work takes as long as it takes. */
const WAIT: Limits = { maxAttempts: 1, onUnknown: 'fail', runForMs: YEAR, startWithinMs: YEAR };

/** What an effect of this kind may use, where the process does not say otherwise. */
export function limitsOf(kind: string, own: Partial<Limits> = {}): Limits {
  const base = kind === 'task' || effectKind(kind).waiting ? WAIT : WORK;
  return { ...base, ...own };
}

/** Of a hook, where the process says nothing. */
export const HOOK_TIMEOUT_MS = 30_000;

/** A hook whose time the process set has it from the moment it is asked for, which tells it from one with the usual time. */
export const hookLimits = (timeout?: number): Partial<Limits> =>
  timeout === undefined ? { runForMs: HOOK_TIMEOUT_MS } : { startWithinMs: timeout, runForMs: timeout };

/** The limits that an effect has when its process asked for none. */
export function usualLimits({ kind, limits, request }: EffectState): Limits {
  const usual = limitsOf(kind);
  const isUsualHook = request.kind === 'hook' && limits.startWithinMs === usual.startWithinMs;
  return isUsualHook ? { ...usual, ...hookLimits() } : usual;
}
