import type { Turn } from '../model.ts';

/** Where in its script a conversation stands. */
export interface Position {
  /** Rounds of tool results since the user last asked for something: the index of the step to answer. */
  readonly step: number;
  /** Rounds of tool results in the whole request. */
  readonly rounds: number;
  /** The last user message that asks for something, without the context around it. */
  readonly userMessage: string;
}

/**
 * Harnesses put context of their own (reminders, the environment) into user messages. A text that opens with an XML-like
 * tag is such context, and a message made only of context asks for nothing.
 */
const CONTEXT = /^\s*<[a-z][\w-]*[\s>]/i;

/** Works the position out from the request alone. Results that follow each other answer one step's calls: one round. */
export function positionOf(turns: readonly Turn[]): Position {
  let step = 0;
  let rounds = 0;
  let userMessage = '';
  let previous: Turn['kind'] = 'other';
  for (const turn of turns) {
    if (turn.kind === 'result' && previous !== 'result') {
      step += 1;
      rounds += 1;
    } else if (turn.kind === 'user') {
      const texts = turn.texts.filter((text) => !CONTEXT.test(text));
      if (texts.length > 0) {
        step = 0;
        userMessage = texts.join('\n');
      }
    }
    previous = turn.kind;
  }
  return { step, rounds, userMessage };
}
