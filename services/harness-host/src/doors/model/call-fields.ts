import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';

/** The fields of the calls of one API. */
interface CallFields {
  readonly allowed: ReadonlySet<string>;
  /** Fields that are not forwarded, because they change no answer. They name a user or a group of calls. */
  readonly dropped: ReadonlySet<string>;
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** The tiers whose price is at most that of the catalogue. Others are faster, and cost more. */
const SERVICE_TIERS: ReadonlySet<JsonValue> = new Set(['auto', 'default', 'flex', 'standard_only']);

/** The published fields of Chat Completions, and those of endpoints that are compatible with it. */
const CHAT: CallFields = {
  allowed: names(
    `audio best_of cache_control chat_template_kwargs enable_thinking frequency_penalty function_call functions
    include_reasoning logit_bias logprobs max_completion_tokens max_tokens messages min_p modalities model n
    output_config parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention reasoning
    reasoning_effort repetition_penalty response_format seed service_tier stop store stream stream_options temperature
    thinking tool_choice tool_stream tools top_k top_logprobs top_p verbosity`,
  ),
  dropped: names('client_metadata metadata priority safety_identifier user'),
};

const RESPONSES: CallFields = {
  allowed: names(
    `background include input instructions max_output_tokens max_tool_calls model parallel_tool_calls prompt_cache_key
    prompt_cache_options prompt_cache_retention reasoning service_tier store stream stream_options temperature text
    tool_choice tools top_logprobs top_p truncation`,
  ),
  dropped: names('client_metadata metadata safety_identifier user'),
};

const ANTHROPIC: CallFields = {
  allowed: names(
    `cache_control context_management max_tokens messages model output_config output_format service_tier stop_sequences
    stream system temperature thinking tool_choice tools top_k top_p`,
  ),
  dropped: names('metadata'),
};

/** Google reads each name in both spellings. */
const GOOGLE: CallFields = {
  allowed: names(
    `contents generationConfig generation_config model safetySettings safety_settings systemInstruction
    system_instruction toolConfig tool_config tools`,
  ),
  dropped: names('labels'),
};

const OF_APIS: Readonly<Record<ModelEndpoint['api'], CallFields>> = {
  'openai-completions': CHAT,
  'openai-responses': RESPONSES,
  'anthropic-messages': ANTHROPIC,
  'google-generative-ai': GOOGLE,
};

/** Every vendor has an API that is compatible with Chat Completions, next to its own. */
const fieldsOf = (api: ModelEndpoint['api'], path: string): CallFields =>
  path.endsWith('/chat/completions') ? CHAT : OF_APIS[api];

/**
 * The field of a call that a run may not send; undefined if there is none. Gateways have fields for another model,
 * address or account. So only known fields are allowed. A field without a value is not sent at all.
 */
export function deniedField(api: ModelEndpoint['api'], path: string, body: JsonObject): string | undefined {
  const { allowed, dropped } = fieldsOf(api, path);
  const unknown = Object.keys(body).find((name) => isSet(body[name]) && !allowed.has(name) && !dropped.has(name));
  if (unknown !== undefined) return unknown;
  return isSet(body.service_tier) && !SERVICE_TIERS.has(body.service_tier) ? 'service_tier' : undefined;
}

/** A call without the fields that are dropped, and without unknown ones, which have no value. */
export function forwardedFields(api: ModelEndpoint['api'], path: string, body: JsonObject): JsonObject {
  const { allowed } = fieldsOf(api, path);
  return Object.fromEntries(Object.entries(body).filter(([name]) => allowed.has(name)));
}

/** Whether a field has a value. Empty lists and objects have none. */
const isSet = (value: JsonValue | undefined): value is JsonValue => {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
};
