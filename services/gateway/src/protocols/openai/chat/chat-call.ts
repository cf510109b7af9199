import { isObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import { type AnswerFormat, answerFormat, type CommonFields, commonFields, thinkingValueOf } from '../call-fields.ts';
import { type Message, readMessages } from '../messages.ts';
import { CLIENT_TOOLS, invalid, notSupported, type Parameter, parameterProblems, TOOL_CHOICE } from '../parameters.ts';

/** A call of `POST /v1/chat/completions`. */
export interface ChatCall extends CommonFields, AnswerFormat {
  readonly messages: readonly Message[];
  /** Whether a stream ends with a chunk that has the usage. */
  readonly includeUsage: boolean;
  readonly thinkingValue: string | undefined;
}

/** How chat completions treat the parameters of OpenAI. docs/protocols.md lists the same. */
export const CHAT_PARAMETERS: Readonly<Record<string, Parameter>> = {
  messages: 'used',
  metadata: 'used',
  model: 'used',
  reasoning_effort: 'used',
  response_format: 'used',
  stream: 'used',
  stream_options: 'used',
  user: 'used',
  frequency_penalty: 'ignored',
  logit_bias: 'ignored',
  max_completion_tokens: 'ignored',
  max_tokens: 'ignored',
  parallel_tool_calls: 'ignored',
  prediction: 'ignored',
  presence_penalty: 'ignored',
  prompt_cache_key: 'ignored',
  prompt_cache_retention: 'ignored',
  safety_identifier: 'ignored',
  seed: 'ignored',
  service_tier: 'ignored',
  stop: 'ignored',
  store: 'ignored',
  temperature: 'ignored',
  top_p: 'ignored',
  verbosity: 'ignored',
  audio: notSupported('audio'),
  function_call: TOOL_CHOICE,
  functions: CLIENT_TOOLS,
  logprobs: notSupported('the probability of tokens', (value) => value === false),
  modalities: notSupported('another output than text', (value) => String(value) === 'text'),
  n: notSupported('more than one choice', (value) => value === 1),
  tool_choice: TOOL_CHOICE,
  tools: CLIENT_TOOLS,
  top_logprobs: notSupported('the probability of tokens', (value) => value === 0),
  web_search_options: notSupported('web search by the client'),
};

/**
 * Reads the body of a call.
 * @throws ReinsError `request_invalid` · `parameter_unsupported`, with all problems
 */
export function chatCall(body: unknown): ChatCall {
  if (!isObject(body)) throw new ReinsError(invalid('', 'the body must be a JSON object'));
  const problems: Problem[] = [...parameterProblems(body, CHAT_PARAMETERS)];
  const call: ChatCall = {
    ...commonFields(body, problems),
    ...answerFormat(body.response_format, (format) => format.json_schema, 'response_format', problems),
    messages: readMessages(body.messages, 'messages', problems),
    includeUsage: includesUsage(body.stream_options, problems),
    thinkingValue: thinkingValueOf(body.reasoning_effort, 'reasoning_effort', problems),
  };
  if (problems.length > 0) throw new ReinsError(problems);
  return call;
}

function includesUsage(options: JsonValue | undefined, problems: Problem[]): boolean {
  if (options === undefined || options === null) return false;
  if (isObject(options)) return options.include_usage === true;
  problems.push(invalid('stream_options', 'stream_options must be an object'));
  return false;
}
