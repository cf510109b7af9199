import type { EventOf } from '@reins/contracts';
import { type EffectState, isEnded, pendingEffects, type RunState } from '@reins/journal';
import { effectDeadline } from '@reins/replay';

export interface Deadline {
  readonly effectId: string;
  readonly attempt: number;
  readonly timer: EventOf<'timer.due'>['timer'];
  /** Milliseconds since the epoch. */
  readonly due: number;
}

/** Workers enforce the deadline themselves. The run adds a margin, so that a worker's own report arrives first. */
export const MARGIN_MS = 5_000;

/**
 * The deadlines of a run, derived from its journal. Pure.
 * @param queuedUntil the start deadline of an attempt that waits for busy hosts; undefined for others
 */
export function deadlinesOf(
  state: RunState,
  cancelGraceMs: number,
  queuedUntil: (effect: EffectState) => number | undefined = () => undefined,
): Deadline[] {
  if (isEnded(state)) return [];
  const effects = pendingEffects(state).flatMap((effect) => {
    const { effectId, attempt } = effect;
    const deadline = effectDeadline(effect, MARGIN_MS);
    if (!deadline) return [];
    const due = (deadline.timer === 'start' ? queuedUntil(effect) : undefined) ?? deadline.due;
    return { effectId, attempt, ...deadline, due };
  });
  const { assignBy, cancelRequested, processError, run } = state;
  return [
    ...effects,
    ...(cancelRequested ? [ofRun(run.runId, 'grace', Date.parse(cancelRequested.at) + cancelGraceMs)] : []),
    ...(processError ? [ofRun(run.runId, 'expiry', Date.parse(processError.expiresAt))] : []),
    ...(assignBy === undefined ? [] : [ofRun(run.runId, 'expiry', Date.parse(assignBy))]),
  ];
}

/** A deadline of the run itself uses the run id in place of an effect id. */
const ofRun = (effectId: string, timer: 'grace' | 'expiry', due: number): Deadline => ({
  effectId,
  attempt: 1,
  timer,
  due,
});
