import { expect, test } from '@jest/globals';
import type { Settings } from '@reins/service-kit';
import { hasPrice, pricesVersion } from './prices.ts';

const api = 'openai-completions' as const;
const settings = (providers: Settings['providers'], override?: string) => ({
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

test('the version changes with prices, and has no keys', () => {
  const version = (provider: Settings['providers'][string]) => pricesVersion(settings({ local: provider }));
  expect(version({ ...LOCAL, models: { mine: { inputPrice: 1 } } })).not.toBe(version(LOCAL));
  expect(version({ ...LOCAL, apiKey: 'sk-secret' })).toBe(version(LOCAL));
});
