import type { ModelList } from '@reins/runtime-config';
import type { ModelEndpoint } from '../contract.ts';
import { listOf, objectOf, textOf } from '../execution/json.ts';

/** The HTTP call that lists the models of an endpoint. It costs no tokens. */
export interface ListCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function listCall({ api, baseUrl, apiKey, headers }: ModelEndpoint): ListCall {
  const base = baseUrl.replace(/\/+$/, '');
  const given = { accept: 'application/json', ...headers };
  const key = (name: string, value: string): Record<string, string> => (apiKey === '' ? {} : { [name]: value });
  if (api === 'anthropic-messages') {
    const url = `${base.replace(/\/v1$/, '')}/v1/models?limit=1000`;
    return { url, headers: { 'anthropic-version': '2023-06-01', ...key('x-api-key', apiKey), ...given } };
  }
  if (api === 'google-generative-ai') {
    const isRoot = URL.canParse(base) && new URL(base).pathname === '/';
    const url = `${isRoot ? `${base}/v1beta` : base.replace(/\/openai$/, '')}/models?pageSize=1000`;
    return { url, headers: { ...key('x-goog-api-key', apiKey), ...given } };
  }
  return { url: `${base}/models`, headers: { ...key('authorization', `Bearer ${apiKey}`), ...given } };
}

/** Reads the first page of a list of any of the vendors; undefined if the response is none. */
export function parseModelList(body: string): ModelList | undefined {
  const parsed = objectOf(parseJson(body));
  const items = Array.isArray(parsed.data) ? parsed.data : parsed.models;
  if (!Array.isArray(items)) return undefined;
  const ids = listOf(items).flatMap((item) => {
    const { id, name } = objectOf(item);
    return textOf(id) || textOf(name).replace(/^models\//, '') || [];
  });
  return { ids, complete: parsed.has_more !== true && textOf(parsed.nextPageToken) === '' };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
