import { expect, test } from '@jest/globals';
import { unpricedModel } from './prices.ts';
import type { ModelSettings } from './settings-catalog.ts';

const api = 'openai-completions' as const;
const settings = (providers: ModelSettings['providers'], override?: string): ModelSettings => ({
  providers,
  model: override === undefined ? {} : { override },
});
const OPENAI = { api, baseUrl: 'https://api.openai.com/v1' };
const LOCAL = { api, baseUrl: 'http://127.0.0.1:8000/v1' };

test('knows the prices of the catalogue at their provider, and those of the settings', () => {
  expect(unpricedModel('openai/gpt-5.4', settings({ openai: OPENAI }))).toBeUndefined();
  expect(unpricedModel('openai/unknown', settings({ openai: OPENAI }))).toBeDefined();
  expect(unpricedModel('local/gpt-5.4', settings({ local: LOCAL }))).toBeDefined();
  const models = { mine: { inputPrice: 1, outputPrice: 2 } };
  expect(unpricedModel('local/mine', settings({ local: { ...LOCAL, models } }))).toBeUndefined();
  expect(unpricedModel('', settings({ openai: OPENAI }))).toBeDefined();
});

test('the model of the installation replaces that of the workspace', () => {
  expect(unpricedModel('local/mine', settings({ openai: OPENAI, local: LOCAL }, 'openai/gpt-5.4'))).toBeUndefined();
  expect(unpricedModel('openai/gpt-5.4', settings({ openai: OPENAI, local: LOCAL }, 'local/mine'))).toBeDefined();
});

test('the hint names a provider only if the settings have it, and the scripted model as such', () => {
  const hintOf = (model: string, override?: string) =>
    unpricedModel(model, settings({ openai: OPENAI, local: LOCAL }, override))?.hint;
  expect(hintOf('local/mine')).toContain('providers.local.models');
  expect(hintOf('nosuch/mine')).toMatch(/^name a model with a known price, or limit the tokens/);
  expect(unpricedModel('openai/gpt-5.4', settings({}, 'scripted/scripted-model'))).toEqual({
    model: 'scripted/scripted-model',
    hint: 'limit the tokens with budgets.max_tokens, or configure a provider: the scripted model has no price',
  });
});
