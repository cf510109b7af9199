import { expect, test } from '@jest/globals';
import { processSettings } from '@reins/service-kit/installation';
import { refuseMissingKey } from './provider-keys.ts';

const api = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1' };
const check = (providers: object, env: Readonly<Record<string, string>> = {}) => {
  refuseMissingKey(processSettings({ REINS_PROVIDERS: JSON.stringify(providers), ...env }), env);
};

test('a start without the key of its provider is refused with the setting and the variable', () => {
  expect(() => check({ local: { ...api, apiKeyEnv: 'MY_KEY' } })).toThrow(
    expect.objectContaining({
      code: 'model_unavailable',
      path: 'providers.local.api_key_env',
      message: 'provider local has no key: providers.local.api_key_env names MY_KEY, which is not set',
      hint: 'Set MY_KEY in the environment of the harness host.',
    }),
  );
  expect(() => check({ local: { ...api, apiKeyFile: '/no/such/key' } })).toThrow(
    expect.objectContaining({ path: 'providers.local.api_key_file' }),
  );
});

test.each([
  ['the key is set', { local: { ...api, apiKeyEnv: 'MY_KEY' } }, { MY_KEY: 'k' }],
  ['only another provider lacks its key', { local: { ...api, apiKey: 'k' }, b: { ...api, apiKeyEnv: 'B_KEY' } }, {}],
  ['no key is configured', { local: api }, {}],
  [
    'no runtime of the profile calls models',
    { local: { ...api, apiKeyEnv: 'MY_KEY' } },
    { REINS_RUNTIME_PROFILE_DEFAULT: 'echo' },
  ],
])('a start is not refused if %s', (_what, providers, env) => {
  expect(() => check(providers, env as Readonly<Record<string, string>>)).not.toThrow();
});
