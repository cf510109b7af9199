import { defined, type EventOf, type Problem } from '@reins/contracts';
import { type EntryDraft, isEnded, type RunState } from '@reins/journal';
import { attemptFailed } from '@reins/replay';
import { decideAnswer } from './answers.ts';
import { decideCommand } from './commands.ts';
import { awaitedEffect, type DecisionContext } from './decision-context.ts';
import { timerDue } from './timers.ts';
import type { Trigger } from './trigger.ts';

/**
 * Maps a trigger to the entries to append. Returns none when the trigger is late, repeated, or for an ended run.
 * Pure: the process is advanced with these entries afterwards.
 */
export function decide(state: RunState, { body, answer }: Trigger, context: DecisionContext): EntryDraft[] {
  if (isEnded(state)) return [];
  if (answer) return decideAnswer(state, body, answer, context);
  switch (body.type) {
    case 'timer.due':
      return timerDue(state, body, context);
    case 'effect.progress':
      return progress(state, body);
    default:
      return decideCommand(state, body);
  }
}

function progress(state: RunState, { effectId, attempt, percent, label }: EventOf<'effect.progress'>): EntryDraft[] {
  if (!awaitedEffect(state, { effectId, attempt })) return [];
  return [
    {
      type: 'EFFECT_PROGRESS',
      data: { effectId, ...defined({ percent, label }) },
    },
  ];
}

/** The entries for a message that was dead-lettered: the effect that it answered has an unknown outcome. */
export function failedTrigger(state: RunState, { answer }: Trigger, { code, message }: Problem): EntryDraft[] {
  if (!answer || isEnded(state) || !state.pending.has(answer.effectId)) return [];
  const effect = state.effects.get(answer.effectId);
  if (effect?.attempt !== answer.attempt) return [];
  return attemptFailed(effect, { error: { code, message }, retryable: true, outcome: 'unknown' });
}
