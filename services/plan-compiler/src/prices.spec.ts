import { expect, test } from '@jest/globals';
import type { Settings } from '@reins/service-kit';
import { pricesVersion } from './prices.ts';

const LOCAL = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:8000/v1' } as const;

test('the version changes with prices, and has no keys', () => {
  const version = (local: Settings['providers'][string]) => pricesVersion({ providers: { local }, model: {} });
  expect(version({ ...LOCAL, models: { mine: { inputPrice: 1 } } })).not.toBe(version(LOCAL));
  expect(version({ ...LOCAL, aliases: { old: 'new' } })).not.toBe(version(LOCAL));
  expect(version({ ...LOCAL, apiKey: 'sk-secret' })).toBe(version(LOCAL));
});
