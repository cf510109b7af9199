import { asObject, type JsonObject } from '../json.ts';
import type { ProtocolName } from './index.ts';

/** The fields of a request, as its vendor publishes them. */
interface RequestSchema {
  readonly fields: ReadonlySet<string>;
  readonly required: readonly string[];
  /** The vendor's message about a field that it does not know. */
  readonly unknown: (field: string) => string;
  readonly missing: (field: string) => string;
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const openai = (fields: string, required: readonly string[]): RequestSchema => ({
  fields: names(fields),
  required,
  unknown: (field) => `Unknown parameter: '${field}'.`,
  missing: (field) => `Missing required parameter: '${field}'.`,
});

const SCHEMAS: Readonly<Record<ProtocolName, RequestSchema>> = {
  chat: openai(
    `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages
    metadata modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention
    reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature
    tool_choice tools top_logprobs top_p user verbosity web_search_options`,
    ['model', 'messages'],
  ),
  responses: openai(
    `background client_metadata conversation include input instructions max_output_tokens max_tool_calls metadata model
    parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning safety_identifier
    service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user`,
    ['model', 'input'],
  ),
  anthropic: {
    fields: names(
      `cache_control container context_management inference_geo max_tokens mcp_servers messages metadata model
      output_config output_format service_tier stop_sequences stream system temperature thinking tool_choice tools top_k
      top_p`,
    ),
    required: ['model', 'messages', 'max_tokens'],
    unknown: (field) => `${field}: Extra inputs are not permitted`,
    missing: (field) => `${field}: Field required`,
  },
  gemini: {
    fields: names('cachedContent contents generationConfig safetySettings store systemInstruction toolConfig tools'),
    required: ['contents'],
    unknown: (field) => `Invalid JSON payload received. Unknown name "${field}": Cannot find field.`,
    missing: (field) => `* GenerateContentRequest.${field}: ${field} is not specified`,
  },
};

/** The models of the vendor of each protocol. */
const MODELS: Readonly<Record<ProtocolName, RegExp>> = {
  chat: /^gpt|^o\d/,
  responses: /^gpt|^o\d/,
  anthropic: /^claude/,
  gemini: /^gemini/,
};

const GENERATION = names(
  `candidateCount enableEnhancedCivicAnswers frequencyPenalty imageConfig logprobs maxOutputTokens mediaResolution
  presencePenalty responseJsonSchema responseLogprobs responseMimeType responseModalities responseSchema seed
  speechConfig stopSequences temperature thinkingConfig topK topP`,
);

/**
 * Why the vendor of a model would refuse the fields of a request, with the message of the vendor: a field that its
 * schema does not have, or one that is missing. Anthropic's and Google's compatible APIs ignore other fields.
 */
export function schemaRefusal(protocol: ProtocolName, model: string, body: JsonObject): string | undefined {
  if (!MODELS[protocol].test(model)) return undefined;
  const { fields, required, unknown, missing } = SCHEMAS[protocol];
  const extra = Object.keys(body).find((field) => !fields.has(field));
  if (extra !== undefined) return unknown(extra);
  const absent = required.find((field) => body[field] === undefined);
  if (absent !== undefined) return missing(absent);
  if (protocol === 'gemini') {
    const other = Object.keys(asObject(body.generationConfig)).find((field) => !GENERATION.has(field));
    return other === undefined ? undefined : unknown(`generationConfig.${other}`);
  }
  return protocol === 'chat' ? ofReasoning(model, body) : undefined;
}

/** Models that reason count their reasoning as output, and take the limit by another name. */
function ofReasoning(model: string, body: JsonObject): string | undefined {
  if (body.max_tokens === undefined || !/^o\d|^gpt-[5-9]/.test(model)) return undefined;
  return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
}
