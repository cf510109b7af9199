import { expect, test } from '@jest/globals';
import type { ModelEndpoint } from '../contract.ts';
import { listCall, parseModelList } from './model-list.ts';

const endpoint = (api: ModelEndpoint['api'], baseUrl: string, apiKey = 'k'): ModelEndpoint => ({
  api,
  baseUrl,
  apiKey,
});

test.each([
  ['openai-completions', 'http://x/v1/', 'http://x/v1/models', 'authorization', 'Bearer k'],
  ['openai-responses', 'http://x/v1', 'http://x/v1/models', 'authorization', 'Bearer k'],
  ['anthropic-messages', 'http://x', 'http://x/v1/models?limit=1000', 'x-api-key', 'k'],
  ['anthropic-messages', 'http://x/v1', 'http://x/v1/models?limit=1000', 'x-api-key', 'k'],
  ['google-generative-ai', 'http://x/v1beta', 'http://x/v1beta/models?pageSize=1000', 'x-goog-api-key', 'k'],
  ['google-generative-ai', 'http://x/v1beta/openai', 'http://x/v1beta/models?pageSize=1000', 'x-goog-api-key', 'k'],
] as const)('%s lists its models at %s', (api, baseUrl, url, header, value) => {
  const call = listCall(endpoint(api, baseUrl));
  expect(call.url).toBe(url);
  expect(call.headers[header]).toBe(value);
  expect(listCall(endpoint(api, baseUrl, '')).headers).not.toHaveProperty(header);
});

test('parses the model list of every vendor', () => {
  expect(parseModelList('{"data":[{"id":"a"},{"id":"b"}]}')).toEqual({ ids: ['a', 'b'], complete: true });
  expect(parseModelList('{"data":[{"id":"a"}],"has_more":true}')).toEqual({ ids: ['a'], complete: false });
  expect(parseModelList('{"models":[{"name":"models/g"}],"nextPageToken":"n"}')).toEqual({
    ids: ['g'],
    complete: false,
  });
  for (const body of ['', '<html>', '[]', '{}', 'null', '{"data":{"id":"a"}}'])
    expect(parseModelList(body)).toBeUndefined();
});
