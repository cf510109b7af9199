import { asObject, type JsonObject } from '../json.ts';
import type { ProtocolName } from './index.ts';

/**
 * Why the vendor of a model would refuse the fields of a request about thinking, with the message of the vendor. Models
 * with other names accept everything.
 */
export function thinkingRefusal(protocol: ProtocolName, model: string, body: JsonObject): string | undefined {
  if (/^gpt|^o\d/.test(model)) return ofOpenai(model, body);
  if (/^claude/.test(model)) return ofAnthropic(protocol, model, body);
  if (/^gemini/.test(model)) return ofGoogle(model, body);
  return undefined;
}

/** The efforts of each model. */
const OPENAI_EFFORTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^gpt-[34]/, []],
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-5(?:-|$)/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt/, ['none', 'low', 'medium', 'high', 'xhigh']],
];

function ofOpenai(model: string, body: JsonObject): string | undefined {
  const effort = body.reasoning_effort ?? asObject(body.reasoning).effort;
  const given = [body.reasoning, body.reasoning_effort].some((value) => value !== undefined);
  const efforts = OPENAI_EFFORTS.find(([pattern]) => pattern.test(model))?.[1] ?? [];
  const isEncrypted = Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content');
  if (efforts.length === 0 && isEncrypted) return 'Encrypted content is not supported with this model.';
  if (!given) return undefined;
  if (efforts.length === 0) return "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
  if (effort === undefined || efforts.includes(String(effort))) return undefined;
  return `Unsupported value: 'reasoning_effort' does not support '${String(effort)}' with this model.`;
}

const ADAPTIVE_ONLY = /^claude-(?:opus-(?:4-[789]|[5-9])|sonnet-[5-9]|fable)/;
const WITHOUT_ADAPTIVE = /^claude-(?:haiku|(?:opus|sonnet)-4-[0-5])/;

function ofAnthropic(protocol: ProtocolName, model: string, body: JsonObject): string | undefined {
  const { type, budget_tokens: budget } = asObject(body.thinking);
  const limit = body.max_tokens ?? body.max_completion_tokens;
  if (type === 'adaptive' && WITHOUT_ADAPTIVE.test(model)) return 'adaptive thinking is not supported on this model';
  if (type !== 'enabled') return undefined;
  if (ADAPTIVE_ONLY.test(model)) return '"thinking.type.enabled" is not supported for this model.';
  if (typeof budget !== 'number' || budget < 1024) return 'thinking.enabled.budget_tokens: must be at least 1024';
  const tooLarge = protocol === 'anthropic' && typeof limit === 'number' && budget >= limit;
  return tooLarge ? '`max_tokens` must be greater than `thinking.budget_tokens`' : undefined;
}

function ofGoogle(model: string, body: JsonObject): string | undefined {
  const { thinkingBudget, thinkingLevel } = asObject(asObject(body.generationConfig).thinkingConfig);
  if (model.startsWith('gemini-2') && thinkingLevel !== undefined)
    return 'Thinking level is not supported for this model.';
  const disabled = thinkingBudget === 0 || body.reasoning_effort === 'none';
  if (disabled && !/^gemini-2\.5-flash/.test(model))
    return 'Budget 0 is invalid. This model only works in thinking mode.';
  return undefined;
}
