import { expect, test } from '@jest/globals';
import { hasPrice } from './prices.ts';
import type { ModelSettings } from './settings-catalog.ts';

const api = 'openai-completions' as const;
const settings = (providers: ModelSettings['providers'], override?: string): ModelSettings => ({
  providers,
  model: override === undefined ? {} : { override },
});
const OPENAI = { api, baseUrl: 'https://api.openai.com/v1' };
const LOCAL = { api, baseUrl: 'http://127.0.0.1:8000/v1' };

test('knows the prices of the catalogue at their provider, and those of the settings', () => {
  expect(hasPrice('openai/gpt-5.4', settings({ openai: OPENAI }))).toBe(true);
  expect(hasPrice('openai/unknown', settings({ openai: OPENAI }))).toBe(false);
  expect(hasPrice('local/gpt-5.4', settings({ local: LOCAL }))).toBe(false);
  const models = { mine: { inputPrice: 1, outputPrice: 2 } };
  expect(hasPrice('local/mine', settings({ local: { ...LOCAL, models } }))).toBe(true);
  expect(hasPrice('', settings({ openai: OPENAI }))).toBe(false);
});

test('the model of the installation replaces that of the workspace', () => {
  expect(hasPrice('local/mine', settings({ openai: OPENAI, local: LOCAL }, 'openai/gpt-5.4'))).toBe(true);
  expect(hasPrice('openai/gpt-5.4', settings({ openai: OPENAI, local: LOCAL }, 'local/mine'))).toBe(false);
});
