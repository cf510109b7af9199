import type { Turn } from '../model.ts';

/** The position of a conversation in its script. */
export interface Position {
  /** The rounds of tool results since the last user message with a request: the index of the next step. */
  readonly step: number;
  /** The rounds of tool results in the whole conversation. */
  readonly rounds: number;
  /** The last user message with a request, without context that the harness added. */
  readonly userMessage: string;
  /** The texts of the last round of tool results; empty before the first one. */
  readonly result: string;
  /** Whether one of them says that its call failed. */
  readonly failed: boolean;
}

/** How harnesses, servers and the tool gateway start the text of a failure. The protocols of OpenAI have no field for it. */
const FAILURE =
  /^\s*(?:\w*(?:Error|Exception)\b|(?:MCP|input validation) error\b|denied:|invalid arguments:|validation failed for tool |unknown tool |tool .* (?:failed|not found))/i;

/**
 * Harnesses add context (reminders, the environment) to user messages. A text that starts with an XML-like tag is
 * context. A message with only context contains no request.
 */
const CONTEXT = /^\s*<[a-z][\w-]*[\s>]/i;

/** Derives the position from the conversation. Consecutive tool results belong to the calls of one step: one round. */
export function positionOf(turns: readonly Turn[]): Position {
  let step = 0;
  let rounds = 0;
  let userMessage = '';
  let results: string[] = [];
  let previous: Turn['kind'] = 'other';
  for (const turn of turns) {
    if (turn.kind === 'result') {
      if (previous !== 'result') {
        step += 1;
        rounds += 1;
        results = [];
      }
      results.push(...turn.texts);
    } else if (turn.kind === 'user') {
      const texts = turn.texts.filter((text) => !CONTEXT.test(text));
      if (texts.length > 0) {
        step = 0;
        userMessage = texts.join('\n');
      }
    }
    previous = turn.kind;
  }
  return { step, rounds, userMessage, result: results.join('\n'), failed: results.some((text) => FAILURE.test(text)) };
}
