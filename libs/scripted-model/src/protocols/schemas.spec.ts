import { expect, test } from '@jest/globals';
import type { ProtocolName } from './index.ts';
import { schemaRefusal } from './schemas.ts';

const VALID = {
  chat: ['gpt-4o', { model: 'gpt-4o', messages: [], max_tokens: 5 }],
  responses: ['gpt-5.4', { model: 'gpt-5.4', input: [] }],
  anthropic: ['claude-haiku-4-5', { model: 'claude-haiku-4-5', messages: [], max_tokens: 5 }],
  gemini: ['gemini-2.5-pro', { contents: [], generationConfig: { maxOutputTokens: 5 } }],
} as const;

test.each(Object.keys(VALID) as ProtocolName[])('%s: other fields than those of the schema are refused', (protocol) => {
  const [model, body] = VALID[protocol];
  expect(schemaRefusal(protocol, model, { ...body })).toBeUndefined();
  expect(schemaRefusal(protocol, model, { ...body, thinking_level: 1 })).toContain('thinking_level');
  const [first = ''] = Object.keys(body).filter((name) => !['model', 'max_tokens', 'generationConfig'].includes(name));
  expect(schemaRefusal(protocol, model, { ...body, [first]: undefined as never })).toContain(first);
  expect(schemaRefusal(protocol, 'local-model', { anything: 1 })).toBeUndefined();
});

test('models that reason refuse max_tokens, and Anthropic needs it', () => {
  const chat = { model: 'o3', messages: [], max_tokens: 5 };
  expect(schemaRefusal('chat', 'o3', chat)).toContain('max_completion_tokens');
  expect(schemaRefusal('anthropic', 'claude-haiku-4-5', { model: 'x', messages: [] })).toContain('max_tokens');
  expect(schemaRefusal('gemini', 'gemini-2.5-pro', { contents: [], generationConfig: { thinking: 1 } })).toContain(
    'generationConfig.thinking',
  );
});
