import { expect, test } from '@jest/globals';
import { modelFacts } from './lookup.ts';

test('finds a model of its vendor by its exact id', () => {
  expect(modelFacts({ providerId: 'openai', modelId: 'gpt-4o' })).toMatchObject({
    reasoning: false,
    images: true,
    contextWindow: 128_000,
    prices: { input: 2.5, cachedInput: 1.25, output: 10 },
  });
  expect(modelFacts({ providerId: 'gemini', modelId: 'gemini-2.5-flash' })).toMatchObject({
    reasoning: true,
    thinking: { by: 'budget', off: true, budgets: { unlimited: -1 } },
  });
});

test('recognises a provider with another id by the host of its API', () => {
  const baseUrl = 'https://api.anthropic.com/v1';
  expect(modelFacts({ providerId: 'ours', modelId: 'claude-sonnet-4-5', baseUrl }).prices).toMatchObject({ input: 3 });
});

test.each([
  ['openai', 'gpt-5.4-2026-03-05'],
  ['openai', 'gpt-5.4-latest'],
  ['anthropic', 'claude-sonnet-5-20260801'],
  ['google', 'gemini-2.5-pro-001'],
  ['google', 'models/gemini-2.5-pro'],
])('%s/%s is a release of a model of the catalogue', (providerId, modelId) =>
  expect(modelFacts({ providerId, modelId })).toMatchObject({ reasoning: true, prices: expect.any(Object) }),
);

test('a release with facts of its own has precedence', () => {
  expect(modelFacts({ providerId: 'openai', modelId: 'gpt-4o-2024-05-13' }).prices).toMatchObject({ input: 5 });
});

test('finds the models of OpenRouter, and of other gateways by the prefix of the vendor', () => {
  const openrouter = { providerId: 'router', baseUrl: 'https://openrouter.ai/api/v1' };
  expect(modelFacts({ ...openrouter, modelId: 'openai/gpt-4o' })).toMatchObject({
    reasoning: false,
    prices: { output: 10 },
  });
  const gateway = { providerId: 'gateway', baseUrl: 'https://llm.example.com/v1' };
  expect(modelFacts({ ...gateway, modelId: 'anthropic/claude-opus-4-8' })).toMatchObject({ reasoning: true });
});

test('a gateway has no prices of the catalogue', () => {
  const gateway = { providerId: 'gateway', baseUrl: 'https://llm.example.com/v1' };
  for (const modelId of ['gpt-4o', 'openai/gpt-4o'])
    expect(modelFacts({ ...gateway, modelId })).toEqual({
      reasoning: false,
      images: true,
      contextWindow: 128_000,
      maxOutputTokens: 16_384,
    });
  expect(modelFacts({ providerId: 'openai', modelId: 'anthropic/claude-opus-4-8' }).prices).toBeUndefined();
});

test('knows nothing about an unknown model, whatever its name', () => {
  for (const modelId of [
    '',
    'llama3:latest',
    'toString',
    '__proto__',
    'openai/',
    '/gpt',
    'constructor/x',
    'openai/gpt-4o:free',
  ])
    expect(modelFacts({ providerId: 'local', modelId })).toEqual({});
  expect(modelFacts({ providerId: 'constructor', modelId: 'toString' })).toEqual({});
});

test('a field of the settings replaces the one of the catalogue', () => {
  const settings = {
    'gpt-4o': { inputPrice: 1, outputPrice: 2 },
    mine: { reasoning: true },
    'gpt-5.4': { inputPrice: 1 },
  };
  expect(modelFacts({ providerId: 'gateway', modelId: 'gpt-4o', settings })).toMatchObject({
    reasoning: false,
    prices: { input: 1, output: 2 },
  });
  expect(modelFacts({ providerId: 'gateway', modelId: 'mine', settings })).toEqual({ reasoning: true });
  // A single price says nothing about the others.
  expect(modelFacts({ providerId: 'openai', modelId: 'gpt-5.4', settings }).prices).toBeUndefined();
});

test('the settings say how a model thinks', () => {
  const settings = {
    a: { thinking: 'budget' as const },
    b: { thinkingLevels: ['high' as const] },
    'gpt-5.4': { reasoning: false, contextWindow: null },
  };
  const facts = (modelId: string) => modelFacts({ providerId: 'openai', modelId, settings });
  expect(facts('a')).toMatchObject({ reasoning: true, thinking: { by: 'budget', efforts: { medium: 'medium' } } });
  expect(facts('b')).toMatchObject({
    reasoning: true,
    thinking: { by: 'effort', efforts: { high: 'high' }, off: true },
  });
  expect(facts('gpt-5.4')).toMatchObject({ reasoning: false, contextWindow: 272_000 });
});
