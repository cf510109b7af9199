import type { EventOf } from '@reins/contracts';
import { type EntryDraft, isEnded, type RunState } from '@reins/journal';
import { decideAnswer } from './answers.ts';
import { awaited, type Circumstances } from './circumstances.ts';
import { decideCommand } from './commands.ts';
import { timerDue } from './timers.ts';
import type { Trigger } from './trigger.ts';

/**
 * What a trigger makes of a run that exists: the entries to append, none when it changes nothing (late, repeated, or about a
 * run that has ended). Pure: the process is asked afterwards what follows from them.
 */
export function decide(state: RunState, { body, answer }: Trigger, circumstances: Circumstances): EntryDraft[] {
  if (isEnded(state)) return [];
  if (answer) return decideAnswer(state, body, answer, circumstances);
  switch (body.type) {
    case 'timer.due':
      return timerDue(state, body, circumstances);
    case 'effect.progress':
      return progress(state, body);
    default:
      return decideCommand(state, body);
  }
}

function progress(state: RunState, { effectId, attempt, percent, label }: EventOf<'effect.progress'>): EntryDraft[] {
  if (!awaited(state, { effectId, attempt })) return [];
  return [
    {
      type: 'EFFECT_PROGRESS',
      data: { effectId, ...(percent !== undefined && { percent }), ...(label !== undefined && { label }) },
    },
  ];
}
