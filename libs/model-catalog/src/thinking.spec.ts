import { expect, test } from '@jest/globals';
import { modelFacts } from './lookup.ts';
import { type AskedThinking, thinkingFor } from './thinking.ts';

const sent = (providerId: string, modelId: string, asked: AskedThinking | undefined) =>
  thinkingFor(asked, modelFacts({ providerId, modelId }));

test.each(['gpt-4o', 'gpt-5.4', 'unknown'])('nothing asked, nothing sent: %s', (modelId) =>
  expect(sent('openai', modelId, undefined)).toEqual({ kind: 'none' }),
);

test('a model that does not think is asked for nothing', () => {
  expect(sent('openai', 'gpt-4o', { level: 'high' })).toEqual({ kind: 'none' });
  expect(sent('openai', 'gpt-4o', 'off')).toEqual({ kind: 'none' });
});

test('levels become the nearest supported one: the next higher, or else the highest', () => {
  expect(sent('openai', 'gpt-5.4', { level: 'high' })).toEqual({ kind: 'effort', level: 'high', value: 'high' });
  expect(sent('openai', 'gpt-5.4', { level: 'minimal' })).toMatchObject({ value: 'low' });
  expect(sent('openai', 'o3', { level: 'xhigh' })).toMatchObject({ value: 'high' });
  expect(sent('anthropic', 'claude-opus-4-6', { level: 'xhigh' })).toMatchObject({ value: 'max' });
});

test('a budget becomes a level for a model that takes levels', () => {
  expect(sent('openai', 'gpt-5.4', { level: 'medium', budget: 9000 })).toMatchObject({
    kind: 'effort',
    value: 'medium',
  });
});

test('a level becomes a budget for a model that takes budgets', () => {
  expect(sent('anthropic', 'claude-sonnet-4-5', { level: 'low' })).toEqual({
    kind: 'budget',
    level: 'low',
    tokens: 2048,
  });
});

test('a budget stays within what the model accepts', () => {
  const tokens = (modelId: string, budget: number) =>
    sent(modelId.startsWith('claude') ? 'anthropic' : 'google', modelId, { level: 'high', budget });
  expect(tokens('claude-sonnet-4-5', 5000)).toMatchObject({ tokens: 5000 });
  expect(tokens('claude-sonnet-4-5', 100)).toMatchObject({ tokens: 1024 });
  expect(tokens('claude-sonnet-4-5', 1_000_000)).toMatchObject({ tokens: 62_976 });
  expect(tokens('claude-sonnet-4-5', -1)).toMatchObject({ tokens: 16_384 });
  expect(tokens('gemini-2.5-flash', -1)).toMatchObject({ tokens: -1 });
  expect(tokens('gemini-2.5-flash', 30_000)).toMatchObject({ tokens: 24_576 });
});

test('off is sent in the form of the model; one that always thinks gets its lowest level', () => {
  expect(sent('openai', 'gpt-5.4', 'off')).toEqual({ kind: 'off', value: 'none' });
  expect(sent('openai', 'o3', 'off')).toEqual({ kind: 'effort', level: 'low', value: 'low' });
  expect(sent('google', 'gemini-2.5-pro', 'off')).toMatchObject({ kind: 'budget', tokens: 1024 });
  expect(sent('google', 'gemini-2.5-flash', 'off')).toMatchObject({ kind: 'off' });
});

test('an unknown model gets what was asked', () => {
  expect(sent('local', 'llama', { level: 'xhigh' })).toEqual({ kind: 'effort', level: 'xhigh', value: 'xhigh' });
  expect(sent('local', 'llama', 'off')).toEqual({ kind: 'off', value: 'none' });
});
