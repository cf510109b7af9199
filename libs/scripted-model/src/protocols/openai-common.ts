import type { JsonObject } from '../json.ts';

const ERROR_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
};

function errorType(status: number): string {
  if (status >= 500) return 'server_error';
  return status === 429 ? 'requests' : 'invalid_request_error';
}

/** The error format of both OpenAI protocols. */
export function openaiError(status: number, message: string): JsonObject {
  return { error: { message, param: null, type: errorType(status), code: ERROR_CODES[status] ?? null } };
}

/** A model listing for both OpenAI and Anthropic clients. */
export function openaiModels(names: readonly string[]): JsonObject {
  const data = names.map((id) => ({
    id,
    object: 'model',
    type: 'model',
    display_name: id,
    created: 0,
    created_at: '2026-01-01T00:00:00Z',
    owned_by: 'reins',
  }));
  return { object: 'list', data, has_more: false };
}
