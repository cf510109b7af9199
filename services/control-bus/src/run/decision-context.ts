import type { EffectState, RunState } from '@reins/journal';
import type { ProcessView } from './cancel.ts';
import type { AnswerHead } from './trigger.ts';

/** What a decision depends on beside the run's state and the trigger. */
export interface DecisionContext {
  /** By when a question that is asked now must be answered (RFC 3339). */
  readonly answerBy: string;
  readonly waitsFor: ProcessView['waitsFor'];
}

/** The effect that a message is about, while it waits for just that attempt; otherwise the message is late. */
export function awaitedEffect(state: RunState, { effectId, attempt }: AnswerHead): EffectState | undefined {
  const effect = state.effects.get(effectId);
  return effect && state.pending.has(effectId) && effect.attempt === attempt ? effect : undefined;
}

/** A run that is being cancelled makes no further attempt at what its process has let go of. */
export const isAbandoned = (state: RunState, { effectId }: EffectState, { waitsFor }: DecisionContext): boolean =>
  state.cancelRequested !== undefined && !waitsFor(effectId);
