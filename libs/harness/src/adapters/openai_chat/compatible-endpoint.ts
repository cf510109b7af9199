import type { ModelEndpoint } from '../../contract.ts';

/** The path suffix of each vendor's OpenAI-compatible API. */
const SUFFIX: Readonly<Record<ModelEndpoint['api'], string>> = {
  'openai-completions': '',
  'openai-responses': '',
  'anthropic-messages': '/v1',
  'google-generative-ai': '/openai',
};

/** The base URL of an endpoint's Chat Completions API. Every supported vendor has one in addition to its own API. */
export function openAiCompatibleBaseUrl({ api, baseUrl }: ModelEndpoint): string {
  const base = baseUrl.replace(/\/+$/, '');
  return base.endsWith(SUFFIX[api]) ? base : `${base}${SUFFIX[api]}`;
}

export function headersOf({ apiKey, headers }: ModelEndpoint): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
    ...headers,
  };
}
