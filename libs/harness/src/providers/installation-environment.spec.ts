import { expect, test } from '@jest/globals';
import { defined } from '@reins/contracts';
import type { ConfiguredProvider } from '@reins/runtime-config';
import { harnessEnvironments } from './installation-environment.ts';

const provider = (more: Partial<ConfiguredProvider> = {}): ConfiguredProvider => ({
  api: 'openai-completions',
  baseUrl: 'http://x/v1',
  ...more,
});

const environmentOf = (override?: string) =>
  harnessEnvironments(
    {
      harness: { pi: { retries: 4 } },
      providers: { a: provider({ apiKeyEnv: 'A_KEY' }), b: provider({ apiKey: 'k' }), c: provider() },
      model: defined({ override }),
    },
    { path: '/bin', keyOf: (id) => (id === 'b' ? 'k' : '') },
  )('pi');

test('an environment contains the settings of its runtime, and for each provider the setting path of its key', () => {
  expect(environmentOf()).toEqual({
    settings: { retries: 4 },
    path: '/bin',
    providers: {
      a: {
        api: 'openai-completions',
        baseUrl: 'http://x/v1',
        apiKey: '',
        keySetting: { path: 'providers.a.api_key_env', variable: 'A_KEY' },
      },
      b: {
        api: 'openai-completions',
        baseUrl: 'http://x/v1',
        apiKey: 'k',
        keySetting: { path: 'providers.b.api_key' },
      },
      c: { api: 'openai-completions', baseUrl: 'http://x/v1', apiKey: '' },
    },
  });
});

test.each([
  ['b/gpt', { providerId: 'b', modelId: 'gpt' }],
  ['gpt', { providerId: 'a', modelId: 'gpt' }],
  ['zzz/gpt', { providerId: 'zzz' }],
])('the override %s selects the same default model as for a stage', (override, defaultModel) => {
  expect(environmentOf(override).defaultModel).toEqual(defaultModel);
});
