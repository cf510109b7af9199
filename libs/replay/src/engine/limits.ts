import type { Limits } from '@reins/contracts';
import { type EffectState, effectKind } from '@reins/journal';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** Work for services of Reins: 10 minutes in the queue, an hour to run, one retry. */
const WORK: Limits = { maxAttempts: 2, onUnknown: 'retry', runForMs: 60 * MINUTE, startWithinMs: 10 * MINUTE };
/** Waits for people, time or outside work have no practical limit. */
const WAIT: Limits = { maxAttempts: 1, onUnknown: 'fail', runForMs: YEAR, startWithinMs: YEAR };

/** The limits of an effect of this kind, unless the process sets others. */
export function limitsOf(kind: string, own: Partial<Limits> = {}): Limits {
  const base = kind === 'task' || effectKind(kind).waiting ? WAIT : WORK;
  return { ...base, ...own };
}

/** The default timeout of a hook. */
export const HOOK_TIMEOUT_MS = 30_000;

/** A timeout that the process set counts from the request, which distinguishes it from the default. */
export const hookLimits = (timeout?: number): Partial<Limits> =>
  timeout === undefined ? { runForMs: HOOK_TIMEOUT_MS } : { startWithinMs: timeout, runForMs: timeout };

/** The limits of an effect whose process set none. */
export function usualLimits({ kind, limits, request }: EffectState): Limits {
  const usual = limitsOf(kind);
  const isUsualHook = request.kind === 'hook' && limits.startWithinMs === usual.startWithinMs;
  return isUsualHook ? { ...usual, ...hookLimits() } : usual;
}
