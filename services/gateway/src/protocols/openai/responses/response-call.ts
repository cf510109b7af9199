import { isObject, isToken, type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import { type AnswerFormat, answerFormat, type CommonFields, commonFields, thinkingValueOf } from '../call-fields.ts';
import { type Message, readMessages } from '../messages.ts';
import {
  CLIENT_TOOLS,
  invalid,
  notSupported,
  type Parameter,
  parameterProblems,
  TOOL_CHOICE,
  unsupported,
} from '../parameters.ts';

/** A call of `POST /v1/responses`. */
export interface ResponseCall extends CommonFields, AnswerFormat {
  readonly messages: readonly Message[];
  readonly instructions: string | null;
  readonly previousResponseId: string | undefined;
  readonly conversation: string | undefined;
  /** Respond at once, and continue without the client. */
  readonly background: boolean;
  /** Whether the response can be retrieved later. */
  readonly store: boolean;
  readonly thinkingValue: string | undefined;
}

/** How responses treat the parameters of OpenAI. docs/protocols.md lists the same. */
export const RESPONSE_PARAMETERS: Readonly<Record<string, Parameter>> = {
  background: 'used',
  conversation: 'used',
  input: 'used',
  instructions: 'used',
  metadata: 'used',
  model: 'used',
  previous_response_id: 'used',
  reasoning: 'used',
  store: 'used',
  stream: 'used',
  text: 'used',
  user: 'used',
  include: 'ignored',
  max_output_tokens: 'ignored',
  max_tool_calls: 'ignored',
  parallel_tool_calls: 'ignored',
  prompt_cache_key: 'ignored',
  prompt_cache_retention: 'ignored',
  safety_identifier: 'ignored',
  service_tier: 'ignored',
  stream_options: 'ignored',
  temperature: 'ignored',
  top_p: 'ignored',
  truncation: 'ignored',
  prompt: notSupported('a stored prompt'),
  tool_choice: TOOL_CHOICE,
  tools: CLIENT_TOOLS,
  top_logprobs: notSupported('the probability of tokens', (value) => value === 0),
};

/**
 * Reads the body of a call.
 * @throws ReinsError `request_invalid` · `parameter_unsupported`, with all problems
 */
export function responseCall(body: unknown): ResponseCall {
  if (!isObject(body)) throw new ReinsError(invalid('', 'the body must be a JSON object'));
  const problems: Problem[] = [...parameterProblems(body, RESPONSE_PARAMETERS)];
  const { instructions, text, reasoning } = body;
  const common = commonFields(body, problems);
  const format = isObject(text) ? text.format : undefined;
  const effort = isObject(reasoning) ? reasoning.effort : undefined;
  const call: ResponseCall = {
    ...common,
    ...answerFormat(format, (given) => given, 'text.format', problems),
    messages: messagesOf(body.input, problems),
    instructions: typeof instructions === 'string' ? instructions : null,
    previousResponseId: textField(body, 'previous_response_id', problems),
    conversation: conversationOf(body.conversation, problems),
    background: flag(body, 'background', false, problems),
    store: flag(body, 'store', true, problems),
    thinkingValue: thinkingValueOf(effort, 'reasoning.effort', problems),
  };
  if (call.background && !call.store)
    problems.push(unsupported('store', 'a background response is always stored', 'Remove store.'));
  if (call.conversation !== undefined && call.previousResponseId !== undefined)
    problems.push(invalid('conversation', 'use either conversation or previous_response_id'));
  if (problems.length > 0) throw new ReinsError(problems);
  return call;
}

function messagesOf(input: JsonValue | undefined, problems: Problem[]): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', text: input, files: [] }];
  if (!Array.isArray(input)) return readMessages(input, 'input', problems);
  const other = input.findIndex((item) => isObject(item) && item.type !== undefined && item.type !== 'message');
  if (other < 0) return readMessages(input, 'input', problems);
  const hint = 'Use previous_response_id to continue, and send only messages.';
  problems.push(unsupported(`input[${other}].type`, `input[${other}] is not a message`, hint));
  return [];
}

function conversationOf(value: JsonValue | undefined, problems: Problem[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  const id = isObject(value) ? value.id : value;
  if (isToken(id)) return id;
  problems.push(invalid('conversation', 'the conversation must be 1 to 64 letters, digits, "_" or "-"'));
  return undefined;
}

function textField(body: JsonObject, name: string, problems: Problem[]): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  problems.push(invalid(name, `${name} must be a string`));
  return undefined;
}

function flag(body: JsonObject, name: string, fallback: boolean, problems: Problem[]): boolean {
  const value = body[name];
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  problems.push(invalid(name, `${name} must be true or false`));
  return fallback;
}
