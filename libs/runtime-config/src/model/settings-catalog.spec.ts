import { expect, test } from '@jest/globals';
import { isProxyClient, modelClientOf } from './client.ts';
import { type ConfiguredProvider, catalogOfSettings, headersWith, headerVariables } from './settings-catalog.ts';
import { resolveModelTarget } from './target.ts';

const CALLER = { workspaceId: 'w', sessionId: 's', inputId: 'i', runId: 'r', sandboxId: 'box' };
const API = 'openai-completions';

const PROVIDERS: Readonly<Record<string, ConfiguredProvider>> = {
  mine: { api: API, baseUrl: 'http://mine/v1', headers: { 'x-team': 'a', 'x-key': '{env:TEAM_KEY}' } },
  anthropic: {
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com/v1',
    apiKeyEnv: 'KEY',
    aliases: { 'claude-sonnet-4-5': 'claude-sonnet-4-6' },
  },
  google: { api: 'google-generative-ai', baseUrl: 'https://generativelanguage.googleapis.com', apiKeyEnv: 'KEY' },
  router: {
    api: API,
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKeyEnv: 'KEY',
    headers: { 'HTTP-Referer': 'https://old', 'x-mine': '1' },
  },
  proxy: { api: API, baseUrl: 'https://proxy.example/api/', apiKeyEnv: 'KEY', proxyUserId: 'u-1' },
};

/** The route of a model by the settings, as a stage gets it. */
function route(model: string) {
  const catalog = catalogOfSettings({ providers: PROVIDERS, model: { aliases: { fast: 'router/openai/gpt-5.4' } } });
  const target = resolveModelTarget(model, catalog);
  return { providerId: target.providerId, modelId: target.modelId, client: modelClientOf(target, catalog, CALLER) };
}

test('headers are sent, and their variables stay references', () => {
  expect(route('mine/m').client).toMatchObject({
    base_url: 'http://mine/v1',
    default_headers: { 'x-team': 'a', 'x-key': '{env:TEAM_KEY}' },
  });
  expect(headerVariables(PROVIDERS.mine as ConfiguredProvider)).toEqual(['TEAM_KEY']);
  expect(headersWith(PROVIDERS.mine as ConfiguredProvider, () => 'v')).toEqual({ 'x-team': 'a', 'x-key': 'v' });
});

test('a key in a file is a reference to the setting, whatever else is set', () => {
  const inFile = { ...(PROVIDERS.mine as ConfiguredProvider), apiKey: 'sk-1', apiKeyEnv: 'KEY', apiKeyFile: '/keys/a' };
  const [entry] = catalogOfSettings({ providers: { mine: inFile }, model: {} }).providers;
  expect(entry).toMatchObject({ api_key: { setting: 'providers.mine.apiKeyFile' }, keyless: false });
});

test('aliases name models of one provider, and of any', () => {
  expect(route('anthropic/claude-sonnet-4-5').modelId).toBe('claude-sonnet-4-6');
  expect(route('fast')).toMatchObject({ providerId: 'router', modelId: 'openai/gpt-5.4' });
});

test('OpenRouter gets the models of vendors, and the attribution', () => {
  expect(route('router/openai/gpt-5.4')).toMatchObject({
    providerId: 'router',
    modelId: 'openai/gpt-5.4',
    client: { base_url: 'https://openrouter.ai/api/v1', default_headers: { 'X-Title': 'Reins', 'x-mine': '1' } },
  });
  expect(route('router/openai/gpt-5.4').client.default_headers).not.toHaveProperty('HTTP-Referer');
});

test.each([
  ['proxy/openai/gpt-5.4', 'openai', 'gpt-5.4', 'openai_compatible'],
  ['proxy/claude-haiku-4-5', 'anthropic', 'claude-haiku-4-5', 'anthropic_native'],
  ['proxy/gemini-2.5-pro', 'google', 'gemini-2.5-pro', 'google_compatible'],
  ['proxy/xiaomi/mimo', 'openai', 'xiaomi/mimo', 'openai_compatible'],
])('a proxy serves %s with the protocol of its vendor', (model, providerId, modelId, transport) => {
  const { client, ...named } = route(model);
  expect(named).toEqual({ providerId, modelId });
  expect(isProxyClient(client)).toBe(true);
  expect(client).toMatchObject({
    model_proxy_provider: transport,
    base_url: `https://proxy.example/api/${providerId}/v1`,
    api_key: '{env:KEY}',
    default_headers: { 'X-Holaboss-User-Id': 'u-1', 'X-Holaboss-Run-Id': 'r', 'X-API-Key': '{env:KEY}' },
  });
  expect(isProxyClient(route('mine/m').client)).toBe(false);
});

test('the bare host root of Gemini gets the path of its API', () => {
  expect(route('google/gemini-2.5-pro').client.base_url).toBe(
    'https://generativelanguage.googleapis.com/v1beta/openai',
  );
});
