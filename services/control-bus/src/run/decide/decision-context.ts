import type { EffectState, RunState } from '@reins/journal';
import type { ProcessView } from './cancel.ts';
import type { AnswerHead } from './trigger.ts';

/** What is known about an unclaimed attempt whose start deadline has passed. */
export type StartDeadline =
  /** It waits for busy hosts, or there is none, so the deadline was extended. */
  | { readonly outcome: 'queued' }
  | { readonly outcome: 'claimed'; readonly host: string }
  /** No host can claim it any more. */
  | { readonly outcome: 'revoked'; readonly waitedMs: number };

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
