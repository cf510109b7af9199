import type { JsonObject } from '@reins/contracts';
import { QUESTION_FIELD } from '@reins/harness';
import { type OwnTool, textResult } from './own-tool.ts';

const MAX_QUESTION = 4000;
const MAX_OPTION = 500;
const MAX_OPTIONS = 20;

const DECLARATION: OwnTool['declaration'] = {
  name: 'question',
  description:
    'Asks the user a question and waits for the answer, however long it takes. Ask only what you cannot find out, and put everything that is open into one question.',
  inputSchema: {
    type: 'object',
    properties: {
      question: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_QUESTION,
        description: 'The question, with its context.',
      },
      options: {
        type: 'array',
        maxItems: MAX_OPTIONS,
        items: { type: 'string', minLength: 1, maxLength: MAX_OPTION },
        description: 'Answers to choose from. The user may give another one.',
      },
    },
    required: ['question'],
  },
};

/** Asks the user. The first question ends the turn of the executor; its stage continues with the answer. */
export function questionTool(): OwnTool {
  let isAsked = false;
  return {
    declaration: DECLARATION,
    call: async (args) => {
      if (isAsked) throw new Error('only one question can be open; ask again after its answer');
      isAsked = true;
      const sent = 'The question was sent to the user. Stop here: the next message is the answer.';
      return { ...textResult(sent), _meta: { [QUESTION_FIELD]: textOf(args) } };
    },
  };
}

function textOf({ question, options }: JsonObject): string {
  const listed = Array.isArray(options) ? options.map((option) => `- ${String(option)}`) : [];
  return [String(question), ...listed].join('\n');
}
