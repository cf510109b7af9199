import type { JsonObject, JsonValue } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';
import { deniedField } from './call-fields.ts';
import { providerSideTools } from './provider-side-tools.ts';
import { storedObject } from './stored-objects.ts';

/** What one run may call: one model, over one API. */
export interface AllowedModel {
  readonly api: ModelEndpoint['api'];
  readonly modelId: string;
}

/** A call of an executor: the path after the base path of its endpoint, with a leading slash, and the parsed body. */
export interface ModelCall {
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject;
}

/** Why a call is refused: an HTTP status and an error for the client. */
export interface Refusal {
  readonly status: 400 | 403 | 404 | 413;
  readonly code:
    | 'model_call_invalid'
    | 'model_call_too_large'
    | 'model_call_unknown'
    | 'model_field_denied'
    | 'model_not_allowed'
    | 'provider_tool_denied'
    | 'stored_object_denied';
  readonly message: string;
  /** The field of the call. */
  readonly path?: string;
  readonly hint?: string;
}

/** The calls that an executor makes, as each vendor documents them. Everything else is refused. */
const CALLS: Readonly<Record<ModelEndpoint['api'] | 'compatible', RegExp>> = {
  'openai-completions': /^\/chat\/completions$/,
  'openai-responses': /^\/responses$/,
  'anthropic-messages': /^(?:\/v1)?\/messages(?:\/count_tokens)?$/,
  'google-generative-ai':
    /^(?:\/v1(?:beta)?)?\/models\/(?<model>[^/:]+):(?:generateContent|streamGenerateContent|countTokens)$/,
  // Every vendor has an API that is compatible with Chat Completions, next to its own.
  compatible: /^(?:\/v1|\/openai)?\/chat\/completions$/,
};

/** Decides whether a run may make a call. Returns undefined for an allowed call. */
export function refusalOf({ api, modelId }: AllowedModel, { method, path, body }: ModelCall): Refusal | undefined {
  const match = CALLS[api].exec(path) ?? CALLS.compatible.exec(path);
  if (!match || method !== 'POST')
    return refusal(404, 'model_call_unknown', `this run cannot call ${method} ${path.slice(0, 200)}`);
  const model = match.groups?.model === undefined ? body.model : decoded(match.groups.model);
  if (model !== modelId)
    return refusal(403, 'model_not_allowed', `this run may use only the model ${modelId}, not ${shown(model)}`);
  if (match.groups?.model !== undefined && !isModel(body.model ?? modelId, modelId))
    return refusal(403, 'model_not_allowed', `this run may use only the model ${modelId}, not ${shown(body.model)}`);
  const stored = storedObject(body);
  if (stored !== undefined)
    return refusal(403, 'stored_object_denied', `this run cannot use ${stored}: the object may belong to another run`);
  const tools = providerSideTools(api, body);
  if (tools.length > 0)
    return refusal(403, 'provider_tool_denied', `this run cannot use tools of the provider: ${tools.join(', ')}`);
  const field = deniedField(api, path, body);
  return field === undefined ? undefined : deniedBy(field);
}

const refusal = (status: Refusal['status'], code: Refusal['code'], message: string): Refusal => ({
  status,
  code,
  message,
});

/** Google's calls name their model in the path. A body may repeat it. */
const isModel = (value: JsonValue, modelId: string): boolean => value === modelId || value === `models/${modelId}`;

const deniedBy = (field: string): Refusal => ({
  ...refusal(403, 'model_field_denied', `this run cannot send the field ${field.slice(0, 80)}`),
  path: field.slice(0, 80),
  hint: 'Remove the field from the call.',
});

/** Undefined for an invalid escape. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const shown = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value.slice(0, 200) : 'an unnamed one';
