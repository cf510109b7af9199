import { defined } from '@reins/contracts';
import type { EffectState, EntryDraft } from '@reins/journal';
import { deadlineEntries } from '../deadlines/deadline-entries.ts';
import { effectDeadline } from '../deadlines/effect-deadline.ts';
import { usualLimits } from '../engine/limits.ts';

/**
 * The entries for sleeps and deadlines whose time has come. The rules are those of the control bus, except that only
 * limits set by the process count: here a worker may come back after days.
 */
export function dueAnswers(pending: readonly EffectState[], now: Date): EntryDraft[] {
  return pending.flatMap((effect) => {
    const deadline = effectDeadline(withProcessLimits(effect));
    return deadline && deadline.due <= now.getTime() ? deadlineEntries(effect, deadline.timer) : [];
  });
}

/**
 * The effect with the limits that its process set. The start of work is not reported here, so a limit of its run time
 * counts from the request.
 */
function withProcessLimits(effect: EffectState): EffectState {
  const usual = usualLimits(effect);
  const { startWithinMs, runForMs } = effect.limits;
  const limits = {
    ...effect.limits,
    startWithinMs: startWithinMs === usual.startWithinMs ? Number.POSITIVE_INFINITY : startWithinMs,
    runForMs: runForMs === usual.runForMs ? Number.POSITIVE_INFINITY : runForMs,
  };
  const { startedAt = limits.startWithinMs === Number.POSITIVE_INFINITY ? effect.requestedAt : undefined } = effect;
  return { ...effect, limits, ...defined({ startedAt }) };
}
