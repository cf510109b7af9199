import type { EffectState, RunState } from '@reins/journal';
import type { ProcessView } from './cancel.ts';
import type { StartDeadline } from './start-deadlines.ts';
import type { AnswerHead } from './trigger.ts';

/** What a decision depends on, in addition to the run's state and the trigger. */
export interface DecisionContext {
  /** The deadline of a question that is asked now (RFC 3339). */
  readonly answerBy: string;
  readonly waitsFor: ProcessView['waitsFor'];
  /** For a passed start deadline of an unclaimed attempt. */
  readonly startDeadline?: StartDeadline;
}

/** The pending effect that a message answers; undefined when the message is late or answers another attempt. */
export function awaitedEffect(state: RunState, { effectId, attempt }: AnswerHead): EffectState | undefined {
  const effect = state.effects.get(effectId);
  return effect && state.pending.has(effectId) && effect.attempt === attempt ? effect : undefined;
}

/** Whether the process of a cancelled run no longer waits for the effect. Such an effect is not retried. */
export const isAbandoned = (state: RunState, { effectId }: EffectState, { waitsFor }: DecisionContext): boolean =>
  state.cancelRequested !== undefined && !waitsFor(effectId);
