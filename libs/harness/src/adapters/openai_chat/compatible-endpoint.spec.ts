import { expect, test } from '@jest/globals';
import { openAiCompatibleBaseUrl } from './compatible-endpoint.ts';

test.each([
  ['openai-completions', 'http://127.0.0.1:9/v1/', 'http://127.0.0.1:9/v1'],
  ['openai-responses', 'https://api.openai.com/v1', 'https://api.openai.com/v1'],
  ['anthropic-messages', 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
  ['anthropic-messages', 'https://api.anthropic.com/v1', 'https://api.anthropic.com/v1'],
  ['google-generative-ai', 'https://g.example/v1beta', 'https://g.example/v1beta/openai'],
  ['google-generative-ai', 'https://g.example/v1beta/openai', 'https://g.example/v1beta/openai'],
] as const)('%s at %s speaks Chat Completions at %s', (api, baseUrl, base) => {
  expect(openAiCompatibleBaseUrl({ api, baseUrl, apiKey: '' })).toBe(base);
});
