import { isObject, type JsonValue } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';
import { tokensIn } from './tokens.ts';

/** The form of an answer: the path of a call decides it, because every vendor has an API in OpenAI's form. */
export type WireForm = 'chat' | 'responses' | 'anthropic' | 'google';

/** What one event of an answer, or a whole answer, says about its usage. */
export interface WireUsage {
  /** Input tokens, with the cached and the written ones. */
  readonly input?: number;
  readonly cached?: number;
  readonly written?: number;
  readonly output?: number;
  /** The cost in US dollars that a gateway reports. */
  readonly cost?: number;
  /** The estimated tokens of texts, reasoning and tool arguments. */
  readonly textTokens: number;
  /** Whether these are the numbers of the whole answer. */
  readonly final: boolean;
  /** Whether the answer is complete. */
  readonly complete: boolean;
}

/** The form of the answer to a call. Undefined: the call is not an inference, such as a count of tokens. */
export function wireForm(api: ModelEndpoint['api'], path: string): WireForm | undefined {
  if (/count_?tokens$/i.test(path)) return undefined;
  if (path.endsWith('/chat/completions')) return 'chat';
  if (api === 'openai-responses') return 'responses';
  return api === 'anthropic-messages' ? 'anthropic' : 'google';
}

/** Reads one event of a stream, or the body of an answer without a stream. */
export function readEvent(form: WireForm, event: JsonValue, streamed: boolean): WireUsage {
  if (Array.isArray(event)) return event.map((each) => readEvent(form, each, true)).reduce(merged, NOTHING);
  return isObject(event) ? READERS[form](event, streamed) : NOTHING;
}

/** The sum of the estimated tokens, and the newest of everything else. */
export function merged(before: WireUsage, now: WireUsage): WireUsage {
  return {
    ...before,
    ...now,
    textTokens: before.textTokens + now.textTokens,
    final: before.final || now.final,
    complete: before.complete || now.complete,
  };
}

export const NOTHING: WireUsage = { textTokens: 0, final: false, complete: false };
export const COMPLETE: WireUsage = { ...NOTHING, complete: true };

type Fields = Readonly<Record<string, JsonValue | undefined>>;
type Reader = (event: Fields, streamed: boolean) => WireUsage;

const READERS: Readonly<Record<WireForm, Reader>> = { chat, responses, anthropic, google };

/** `[DONE]` completes a stream. It is not an event. */
function chat(event: Fields, streamed: boolean): WireUsage {
  const [choice] = listOf(event.choices).map(fieldsOf);
  const usage = fieldsOf(event.usage);
  const cached =
    numberIn(fieldsOf(usage.prompt_tokens_details).cached_tokens) ?? numberIn(usage.prompt_cache_hit_tokens);
  return {
    ...known({
      input: numberIn(usage.prompt_tokens),
      output: numberIn(usage.completion_tokens),
      cached,
      cost: numberIn(usage.cost),
    }),
    textTokens: textTokensIn(choice?.delta ?? choice?.message),
    final: isObject(event.usage),
    complete: !streamed,
  };
}

const RESPONSE_ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

function responses(event: Fields, streamed: boolean): WireUsage {
  const isDelta = typeof event.type === 'string' && event.type.endsWith('.delta');
  if (streamed && !RESPONSE_ENDS.has(String(event.type)))
    return { ...NOTHING, textTokens: isDelta && typeof event.delta === 'string' ? tokensIn(event.delta) : 0 };
  const response = streamed ? fieldsOf(event.response) : event;
  const usage = fieldsOf(response.usage);
  return {
    ...known({
      input: numberIn(usage.input_tokens),
      output: numberIn(usage.output_tokens),
      cached: numberIn(fieldsOf(usage.input_tokens_details).cached_tokens),
      cost: numberIn(usage.cost),
    }),
    textTokens: streamed ? 0 : textTokensIn(response.output),
    final: isObject(response.usage),
    complete: true,
  };
}

function anthropic(event: Fields, streamed: boolean): WireUsage {
  const usage = fieldsOf(event.type === 'message_start' ? fieldsOf(event.message).usage : event.usage);
  const cached = numberIn(usage.cache_read_input_tokens);
  const written = numberIn(usage.cache_creation_input_tokens);
  const plain = numberIn(usage.input_tokens);
  const input = plain === undefined ? undefined : plain + (cached ?? 0) + (written ?? 0);
  return {
    ...known({ input, output: numberIn(usage.output_tokens), cached, written }),
    textTokens: textTokensIn(streamed ? event.delta : event.content),
    final: isObject(event.usage) && (!streamed || event.type === 'message_delta'),
    complete: !streamed || event.type === 'message_stop',
  };
}

function google(event: Fields, streamed: boolean): WireUsage {
  const usage = fieldsOf(event.usageMetadata);
  const [candidate] = listOf(event.candidates).map(fieldsOf);
  const ended = typeof candidate?.finishReason === 'string' || fieldsOf(event.promptFeedback).blockReason !== undefined;
  const sum = (...parts: (JsonValue | undefined)[]): number | undefined => {
    const numbers = parts.map(numberIn).filter((each) => each !== undefined);
    return numbers.length === 0 ? undefined : numbers.reduce((total, each) => total + each, 0);
  };
  return {
    ...known({
      input: sum(usage.promptTokenCount, usage.toolUsePromptTokenCount),
      output: sum(usage.candidatesTokenCount, usage.thoughtsTokenCount),
      cached: numberIn(usage.cachedContentTokenCount),
    }),
    textTokens: textTokensIn(fieldsOf(candidate?.content).parts),
    final: isObject(event.usageMetadata) && (ended || !streamed),
    complete: ended,
  };
}

/** Fields of texts, reasoning, and the arguments of tools. */
const TEXTS = new Set([
  ...['content', 'text', 'thinking', 'reasoning', 'reasoning_content', 'partial_json', 'arguments', 'input', 'args'],
  ...['summary', 'tool_calls', 'function', 'functionCall', 'delta'],
]);

/** The estimated tokens of the texts in a part of an answer. */
function textTokensIn(value: JsonValue | undefined): number {
  if (typeof value === 'string') return tokensIn(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + textTokensIn(each), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce((sum, [name, each]) => sum + (TEXTS.has(name) ? textTokensIn(each) : 0), 0);
}

const fieldsOf = (value: JsonValue | undefined): Fields => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const numberIn = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

type Known<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

const known = <T extends object>(value: T): Known<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Known<T>;
