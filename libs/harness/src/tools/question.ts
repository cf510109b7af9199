/** The field of `_meta` in the result of a tool that asks the user: the question. */
export const QUESTION_FIELD = 'reins/question';

/** The field of `_meta` in a call of a tool: the id that the model gave the call. */
export const CALL_ID_FIELD = 'reins/callId';

/**
 * The question of a tool result; undefined for any other result. An executor that receives one stops after the current
 * tool calls, and its execution ends as `waiting`. It imports no module, because foreign executors load it too.
 */
export function questionOf(result: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }) {
  const question = result._meta?.[QUESTION_FIELD];
  return typeof question === 'string' ? question : undefined;
}
