import type { Problem } from '@reins/contracts';
import { type EntryDraft, isEnded, type RunState } from '@reins/journal';
import { attemptFailed } from '@reins/replay';
import type { Trigger } from './trigger.ts';

/** The entries for a message that was dead-lettered: the effect that it answered has an unknown outcome. */
export function failedTrigger(state: RunState, { answer }: Trigger, { code, message }: Problem): EntryDraft[] {
  if (!answer || isEnded(state) || !state.pending.has(answer.effectId)) return [];
  const effect = state.effects.get(answer.effectId);
  if (effect?.attempt !== answer.attempt) return [];
  return attemptFailed(effect, { error: { code, message }, retryable: true, outcome: 'unknown' });
}
