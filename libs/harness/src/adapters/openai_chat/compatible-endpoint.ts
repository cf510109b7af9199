import type { ModelEndpoint } from '../../contract.ts';

/** What each vendor's own address lacks to be the one of its OpenAI-compatible form. */
const SUFFIX: Readonly<Record<ModelEndpoint['api'], string>> = {
  'openai-completions': '',
  'openai-responses': '',
  'anthropic-messages': '/v1',
  'google-generative-ai': '/openai',
};

/** Where an endpoint speaks Chat Completions: every vendor that we know has a form of it beside its own. */
export function compatibleBase({ api, baseUrl }: ModelEndpoint): string {
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
