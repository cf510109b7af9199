import { defined, isObject, type JsonObject } from '@reins/contracts';
import { forwardedFields } from './call-fields.ts';
import { expensiveShape } from './json-shape.ts';
import { type AllowedModel, type Refusal, refusalOf } from './model-call.ts';
import { type CallEstimate, estimateOf } from './usage/estimate.ts';

/** A call as it arrived, with the path after the base path of the endpoint. */
export interface ReceivedCall extends AllowedModel {
  readonly method: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether the model is known not to think. Its provider refuses fields about thinking. */
  readonly isWithoutThinking?: boolean;
}

/** The body to forward and the size of the call, or why the call is refused. */
export type CheckedCall =
  | { readonly bytes: Uint8Array; readonly estimate: CallEstimate }
  | { readonly refusal: Refusal };

/**
 * Checks a call. The forwarded body is serialised from the parsed one, so that the provider cannot read another value
 * than the one that was checked, such as the first of two fields with the same name. It has only known fields.
 */
export function checkCall({ api, modelId, method, path, bytes, isWithoutThinking }: ReceivedCall): CheckedCall {
  const shape = expensiveShape(bytes);
  if (shape) return { refusal: shape === 'depth' ? TOO_DEEP : TOO_MANY_VALUES };
  const body = parseBody(bytes);
  if (body === undefined && method === 'POST') return { refusal: NOT_JSON };
  const refusal = refusalOf({ api, modelId }, { method, path, body: body ?? {} });
  if (refusal) return { refusal };
  const known = withUsage(path, forwardedFields(api, path, body ?? {}));
  const forwarded = isWithoutThinking ? withoutEmptyThinking(known) : known;
  return { bytes: Buffer.from(JSON.stringify(forwarded), 'utf8'), estimate: estimateOf(path, forwarded) };
}

/** Chat Completions report the usage of a stream only if the call asks for it. */
function withUsage(path: string, body: JsonObject): JsonObject {
  if (!path.endsWith('/chat/completions') || body.stream !== true) return body;
  const options = isObject(body.stream_options) ? body.stream_options : {};
  return { ...body, stream_options: { ...options, include_usage: true } };
}

const ENCRYPTED_THINKING = 'reasoning.encrypted_content';

/** Codex sends these fields to every model of Responses, also if nothing asks for thinking. */
function withoutEmptyThinking({ reasoning, include, ...body }: JsonObject): JsonObject {
  const isAsked = isObject(reasoning) ? Object.keys(reasoning).length > 0 : reasoning != null;
  const included = Array.isArray(include) ? include.filter((each) => each !== ENCRYPTED_THINKING) : include;
  const isEmpty = Array.isArray(included) && included.length === 0;
  return {
    ...body,
    ...defined({ reasoning: isAsked ? reasoning : undefined, include: isEmpty ? undefined : included }),
  };
}

const NOT_JSON: Refusal = {
  status: 400,
  code: 'model_call_invalid',
  message: 'the body of a model call must be a JSON object',
};

const TOO_DEEP: Refusal = {
  status: 400,
  code: 'model_call_invalid',
  message: 'the body of a model call is nested too deeply',
};

const TOO_MANY_VALUES: Refusal = {
  status: 413,
  code: 'model_call_too_large',
  message: 'the body of a model call has too many values',
};

function parseBody(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
