import type { EffectState, EntryDraft } from '@reins/journal';
import { effectDeadline } from '../deadlines/effect-deadline.ts';
import { overdue } from '../deadlines/overdue.ts';
import { usualLimits } from '../engine/limits.ts';

/**
 * What is decided by time alone: a sleep is over, what had a deadline has failed, an attempt has had its time. The rule is that of the control
 * bus, but that only those limits count that the process asked for: here whoever does the work may come back in days.
 */
export function dueAnswers(pending: readonly EffectState[], now: Date): EntryDraft[] {
  return pending.flatMap((effect) => {
    const deadline = effectDeadline(asAsked(effect));
    return deadline && deadline.due <= now.getTime() ? overdue(effect, deadline.timer) : [];
  });
}

/** The effect under the limits that its process asked for. Nobody says when work was begun: where only its time is limited, that is at once. */
function asAsked(effect: EffectState): EffectState {
  const usual = usualLimits(effect);
  const { startWithinMs, runForMs } = effect.limits;
  const limits = {
    ...effect.limits,
    startWithinMs: startWithinMs === usual.startWithinMs ? Number.POSITIVE_INFINITY : startWithinMs,
    runForMs: runForMs === usual.runForMs ? Number.POSITIVE_INFINITY : runForMs,
  };
  const { startedAt = limits.startWithinMs === Number.POSITIVE_INFINITY ? effect.requestedAt : undefined } = effect;
  return { ...effect, limits, ...(startedAt !== undefined && { startedAt }) };
}
