import type { CallToolResult } from '@modelcontextprotocol/client';
import type { JsonValue } from '@reins/contracts';
import { QUESTION_FIELD } from '@reins/harness';
import { answerOf, type Elicitation, type ElicitationAnswer, questionTextOf } from '../client/elicitation.ts';

/** A question of a server that the user has answered: the server asks it again when its tool is called again. */
export interface AnsweredElicitation {
  readonly serverId: string;
  readonly message: string;
  readonly answer: JsonValue;
}

export interface ElicitationsOptions {
  /** The answer that the stage continues with. */
  readonly answered?: AnsweredElicitation | undefined;
  /** Called when a call ends with a question of a server. */
  readonly asked: (serverId: string, message: string) => void;
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
    const { answered } = this.#options;
    const isAnswered = answered?.serverId === serverId && answered.message === elicitation.message;
    const answer = isAnswered ? answerOf(elicitation, answered.answer) : undefined;
    if (answer) return answer;
    this.#open.set(serverId, elicitation);
    return { action: 'cancel' };
  }

  /** The result of a call during which the server asked the user; undefined when it did not. */
  questionOf(serverId: string): CallToolResult | undefined {
    const open = this.#open.get(serverId);
    this.#open.delete(serverId);
    if (!open) return undefined;
    this.#options.asked(serverId, open.message);
    const sent =
      'The tool asked the user, and the call was cancelled. Stop here: the next message is the answer. Then call the tool again.';
    return { content: [{ type: 'text', text: sent }], _meta: { [QUESTION_FIELD]: questionTextOf(open) } };
  }
}
