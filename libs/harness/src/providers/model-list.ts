import type { ModelEndpoint } from '../contract.ts';
import { listOf, objectOf, textOf } from '../execution/json.ts';

/** The HTTP call that lists the models of an endpoint. It costs no tokens. */
export interface ListCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The first page of a list. `complete`: the list has every model of the provider. */
export interface ModelList {
  readonly ids: readonly string[];
  readonly complete: boolean;
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
    const url = `${base.replace(/\/openai$/, '')}/models?pageSize=1000`;
    return { url, headers: { ...key('x-goog-api-key', apiKey), ...given } };
  }
  return { url: `${base}/models`, headers: { ...key('authorization', `Bearer ${apiKey}`), ...given } };
}

/** Reads the response of any of the vendors; undefined if it is not a list of models. */
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

/**
 * Whether the list has the model; undefined if the list cannot decide it. Endpoints accept names that they do not list:
 * aliases (`…-latest`), names without a tag (`llama3` for `llama3:latest`), and names that match a wildcard.
 */
export function listsModel({ ids, complete }: ModelList, modelId: string): boolean | undefined {
  if (ids.some((id) => id === modelId || id === `${modelId}:latest`)) return true;
  const undecided = !complete || ids.length === 0 || modelId.endsWith('-latest') || ids.some((id) => id.includes('*'));
  return undecided ? undefined : false;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
