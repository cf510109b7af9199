import type { CallToolResult } from '@modelcontextprotocol/client';
import type { JsonValue } from '@reins/contracts';
import { QUESTION_FIELD } from '@reins/harness';
import { answerOf, type Elicitation, type ElicitationAnswer, questionTextOf } from '../client/elicitation.ts';

/** A question of a server that the user has answered. */
export interface AnsweredElicitation {
  readonly serverId: string;
  readonly message: string;
  readonly answer: JsonValue;
}

export interface ElicitationsOptions {
  /** The answers to the questions of calls that have not completed yet, such as the one that the stage continues with. */
  readonly answered: readonly AnsweredElicitation[];
  /** Called when a call ends with a question of a server. */
  readonly asked: (serverId: string, message: string) => void;
  /** Called when a call to a server completes. Its next call asks again. */
  readonly completed: (serverId: string) => void;
}

/**
 * The questions of servers to the user during their calls. No process waits for a user: the call is cancelled, its result
 * asks the user, and the stage continues with the answer. The model then calls the tool again, and the server gets it.
 */
export class Elicitations {
  readonly #options: ElicitationsOptions;
  readonly #open = new Map<string, Elicitation>();

  constructor(options: ElicitationsOptions) {
    this.#options = options;
  }

  /** Answers a question of a server. */
  answer(serverId: string, elicitation: Elicitation): ElicitationAnswer {
    const answered = this.#options.answered.findLast(
      (each) => each.serverId === serverId && each.message === elicitation.message,
    );
    const answer = answered && answerOf(elicitation, answered.answer);
    if (answer) return answer;
    // The first question that the user has not answered. The others follow when it is answered.
    if (!this.#open.has(serverId)) this.#open.set(serverId, elicitation);
    return { action: 'cancel' };
  }

  /** The result of a call during which the server asked the user; undefined when it did not. */
  questionOf(serverId: string): CallToolResult | undefined {
    const open = this.#open.get(serverId);
    this.#open.delete(serverId);
    if (!open) {
      this.#options.completed(serverId);
      return undefined;
    }
    this.#options.asked(serverId, open.message);
    const sent =
      'The tool asked the user, and the call was cancelled. Stop here: the next message is the answer. Then call the tool again.';
    return { content: [{ type: 'text', text: sent }], _meta: { [QUESTION_FIELD]: questionTextOf(open) } };
  }
}
