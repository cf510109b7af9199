import type { EventOf } from '@reins/contracts';
import { type EntryDraft, isEnded, type RunState } from '@reins/journal';
import { decideAnswer } from './answers.ts';
import { decideCommand } from './commands.ts';
import { awaitedEffect, type DecisionContext } from './decision-context.ts';
import { timerDue } from './timers.ts';
import type { Trigger } from './trigger.ts';

/**
 * What a trigger makes of a run that exists: the entries to append, none when it changes nothing (late, repeated, or about a
 * run that has ended). Pure: the process is asked afterwards what follows from them.
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
      data: { effectId, ...(percent !== undefined && { percent }), ...(label !== undefined && { label }) },
    },
  ];
}
