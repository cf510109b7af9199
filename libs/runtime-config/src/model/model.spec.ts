import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { problemsOf } from '../testing/expect-problem.ts';
import type { ProviderCatalog, ProviderEntry } from './catalog.ts';
import { type ModelClient, modelClientOf } from './client.ts';
import { chooseModel } from './select.ts';
import { catalogOfSettings, withFoundModels } from './settings-catalog.ts';
import { type ModelTarget, resolveModelTarget } from './target.ts';
import { parseThinking } from './thinking.ts';

const CALLER = { workspaceId: 'w', sessionId: 's', inputId: 'i', runId: 'r', sandboxId: 'box' };
const KEY = { env: 'KEY' };

function provider(id: string, base_url: string | null, extra: Partial<ProviderEntry> = {}): ProviderEntry {
  return { id, kind: 'openai_compatible', base_url, api_key: KEY, ...extra };
}

const PROXY = provider('holaboss_model_proxy', 'https://proxy.example/api', { kind: 'holaboss_proxy' });
const GOOGLE = 'https://generativelanguage.googleapis.com';

function route(model: string, ...providers: readonly ProviderEntry[]): ModelTarget & ModelClient {
  const catalog: ProviderCatalog = { providers, proxy_user_id: 'user-1' };
  const target = resolveModelTarget(model, catalog);
  return { ...target, ...modelClientOf(target, catalog, CALLER) };
}

describe('model routing', () => {
  const anthropic = provider('anthropic_direct', 'https://api.anthropic.com/v1', { kind: 'anthropic_native' });
  const direct = { api_key: '{env:KEY}', default_headers: null };

  test('openai_direct', () => {
    expect(route('openai_direct/gpt-5.4', provider('openai_direct', 'https://api.openai.com/v1'))).toMatchObject({
      ...direct,
      providerId: 'openai_direct',
      modelId: 'gpt-5.4',
      model_proxy_provider: 'openai_compatible',
      base_url: 'https://api.openai.com/v1',
    });
  });

  test('openai_codex keeps its path', () => {
    const base = 'https://chatgpt.example/backend-api/codex';
    expect(route('openai_codex/gpt-5.4', provider('openai_codex', base))).toMatchObject({
      ...direct,
      providerId: 'openai_codex',
      model_proxy_provider: 'openai_compatible',
      base_url: base,
    });
  });

  test('anthropic_direct: the API version is removed from the base URL', () => {
    expect(route('anthropic_direct/claude-sonnet-4-6', anthropic)).toMatchObject({
      ...direct,
      providerId: 'anthropic_direct',
      modelId: 'claude-sonnet-4-6',
      model_proxy_provider: 'anthropic_native',
      base_url: 'https://api.anthropic.com',
    });
  });

  test('anthropic_direct replaces an outdated Claude name', () => {
    expect(route('anthropic_direct/claude-sonnet-4-5', anthropic).modelId).toBe('claude-sonnet-4-6');
  });

  test('gemini_direct keeps its OpenAI path', () => {
    expect(route('gemini_direct/gemini-2.5-flash', provider('gemini_direct', `${GOOGLE}/v1beta/openai`))).toMatchObject(
      {
        ...direct,
        providerId: 'gemini_direct',
        model_proxy_provider: 'google_compatible',
        base_url: `${GOOGLE}/v1beta/openai`,
      },
    );
  });

  test('gemini_direct replaces an outdated Gemini name', () => {
    const gemini = provider('gemini_direct', `${GOOGLE}/v1beta/openai`);
    expect(route('gemini_direct/gemini-3.1-pro-preview', gemini).modelId).toBe('gemini-2.5-pro');
  });

  test('a Gemini host root gets the OpenAI path', () => {
    expect(route('my_google/gemini-2.5-flash', provider('my_google', `${GOOGLE}/`))).toMatchObject({
      model_proxy_provider: 'google_compatible',
      base_url: `${GOOGLE}/v1beta/openai`,
    });
  });

  test('the proxy with Gemini', () => {
    const target = route('holaboss_model_proxy/gemini-2.5-pro', PROXY);
    expect(target).toMatchObject({
      providerId: 'google',
      model_proxy_provider: 'google_compatible',
      base_url: 'https://proxy.example/api/google/v1',
    });
    expect(target.provider?.id).toBe('holaboss_model_proxy');
  });

  test('the proxy with Claude', () => {
    expect(route('holaboss_model_proxy/claude-sonnet-4-6', PROXY)).toMatchObject({
      providerId: 'anthropic',
      model_proxy_provider: 'anthropic_native',
      base_url: 'https://proxy.example/api/anthropic/v1',
    });
  });

  test('the proxy gets the ids of the caller as headers, for a model of another vendor', () => {
    expect(route('holaboss_model_proxy/xiaomi/mimo-v2-pro', PROXY)).toMatchObject({
      providerId: 'openai',
      modelId: 'xiaomi/mimo-v2-pro',
      model_proxy_provider: 'openai_compatible',
      base_url: 'https://proxy.example/api/openai/v1',
      default_headers: {
        'X-API-Key': '{env:KEY}',
        'X-Holaboss-User-Id': 'user-1',
        'X-Holaboss-Sandbox-Id': 'box',
        'X-Holaboss-Session-Id': 's',
        'X-Holaboss-Workspace-Id': 'w',
        'X-Holaboss-Input-Id': 'i',
        'X-Holaboss-Run-Id': 'r',
      },
    });
  });

  test('a Gemini name without a provider, without configuration', () => {
    expect(resolveModelTarget('gemini-2.5-pro', { providers: [] })).toEqual({
      providerId: 'google',
      modelId: 'gemini-2.5-pro',
      transport: 'google_compatible',
      provider: null,
    });
  });

  test('ollama_direct, with colons in model ids and without a key', () => {
    const ollama = provider('ollama_direct', 'http://localhost:11434/v1', { api_key: null, keyless: true });
    expect(route('ollama_direct/qwen2.5:0.5b', ollama)).toMatchObject({
      providerId: 'ollama_direct',
      modelId: 'qwen2.5:0.5b',
      base_url: 'http://localhost:11434/v1',
      api_key: null,
      default_headers: null,
    });
  });

  test('openrouter keeps custom headers except for the attribution headers', () => {
    const headers = { 'X-Custom': 'yes', 'x-title': 'Old', 'HTTP-Referer': 'https://old.example' };
    const router = provider('openrouter', 'https://openrouter.ai/api/v1', { kind: 'openrouter', headers });
    expect(route('openrouter/openai/gpt-5.4', router)).toMatchObject({
      providerId: 'openrouter',
      modelId: 'openai/gpt-5.4',
      model_proxy_provider: 'openai_compatible',
      base_url: 'https://openrouter.ai/api/v1',
      default_headers: { 'X-Custom': 'yes', 'X-Title': 'Reins' },
    });
  });
});

describe('model routing order', () => {
  const a = provider('a', 'https://a.example/v1');
  const b = provider('b', 'https://b.example/v1');

  it('prefers a token of the catalog', () => {
    const models = [{ token: 'a/gpt', provider_id: 'b', model_id: 'other' }];
    expect(resolveModelTarget('a/gpt', { providers: [a, b], models })).toMatchObject({
      providerId: 'b',
      modelId: 'other',
    });
  });

  it('uses a model id only when it is unique', () => {
    const models = [
      { token: 'x', provider_id: 'a', model_id: 'm' },
      { token: 'y', provider_id: 'b', model_id: 'n' },
      { token: 'z', provider_id: 'a', model_id: 'n' },
    ];
    const catalog = { providers: [a, b], models, default_provider_id: 'b' };
    expect(resolveModelTarget('m', catalog).providerId).toBe('a');
    expect(resolveModelTarget('n', catalog)).toMatchObject({ providerId: 'b', modelId: 'n' });
  });

  it('rejects a second provider name for a provider with bare ids, but not for a gateway', () => {
    expect(problemsOf(() => resolveModelTarget('a/openai/gpt-5.4', { providers: [a] }))[0]?.code).toBe('model_invalid');
    const gateway = provider('a', 'https://a.example/v1', { prefixed_models: true });
    expect(resolveModelTarget('a/openai/gpt-5.4', { providers: [gateway] }).modelId).toBe('openai/gpt-5.4');
  });

  it('routes a bare Claude name to Anthropic, or else to the default provider', () => {
    const anthropic = provider('mine', 'https://api.anthropic.com', { kind: 'anthropic_native' });
    expect(resolveModelTarget('claude-x', { providers: [a, anthropic], default_provider_id: 'a' }).providerId).toBe(
      'mine',
    );
    expect(resolveModelTarget('claude-x', { providers: [a], default_provider_id: 'a' }).providerId).toBe('a');
    expect(resolveModelTarget('claude-x', { providers: [] }).providerId).toBe('anthropic');
  });

  it('routes a vendor without a provider to a default provider that accepts prefixed names', () => {
    const gateway = provider('gateway', 'https://g.example/v1', { prefixed_models: true });
    const catalog = { providers: [gateway], default_provider_id: 'gateway' };
    expect(resolveModelTarget('openai/gpt-5.4', catalog)).toMatchObject({
      providerId: 'gateway',
      modelId: 'openai/gpt-5.4',
    });
    expect(resolveModelTarget('nosuch/m', catalog).providerId).toBe('gateway');
    const plain = { providers: [a], default_provider_id: 'a' };
    expect(resolveModelTarget('openai/gpt-5.4', plain)).toMatchObject({ providerId: 'openai', provider: null });
  });

  it.each(['', '  ', 'a/', 'openai/', 'holaboss/gpt'])('rejects %j', (model) => {
    expect(problemsOf(() => resolveModelTarget(model, { providers: [a] }))[0]?.code).toBe('model_invalid');
  });

  test('property: a name is routed or rejected deterministically, and never to a provider without a model', () => {
    const name = fc.array(fc.constantFrom('a', 'openai', 'gpt', 'claude-x', 'gemini-y', ' ', ''), { maxLength: 4 });
    fc.assert(
      fc.property(name, fc.constantFrom('a', null), (parts, default_provider_id) => {
        const attempt = () => resolveModelTarget(parts.join('/'), { providers: [a, PROXY], default_provider_id });
        let target: ModelTarget;
        try {
          target = attempt();
        } catch (error) {
          expect(error).toHaveProperty('code', 'model_invalid');
          return;
        }
        expect(target.modelId).not.toBe('');
        expect(attempt()).toEqual(target);
      }),
    );
  });
});

describe('the providers of an installation', () => {
  const LOCAL = {
    api: 'openai-completions',
    baseUrl: 'http://127.0.0.1:8000/v1',
    models: { 'team/fake': {} },
  } as const;
  const settings = { providers: { local: LOCAL, openai: { ...LOCAL, models: {} } }, model: {} };
  const catalog = catalogOfSettings(settings);
  const targetOf = (name: string, of = catalog) => {
    const { provider, modelId } = resolveModelTarget(name, of);
    return `${provider?.id} ${modelId}`;
  };

  test.each([
    ['opnai/gpt-5', 'opnai', 'Did you mean openai/gpt-5?'],
    ['nosuch/fake', 'nosuch', 'or local/nosuch/fake if local has a model of this name'],
    ['team/other', 'team', 'or local/team/other'],
  ])('%s is refused, because %s is not one of them', (name, expected, hint) => {
    const [problem] = problemsOf(() => resolveModelTarget(name, catalog));
    expect(problem).toMatchObject({
      code: 'model_provider_unconfigured',
      message: `the provider '${expected}' of the model '${name}' is not configured (configured: local, openai)`,
      hint: expect.stringContaining(hint),
    });
  });

  test('a vendor without a provider is refused when a client is needed', () => {
    const target = resolveModelTarget('anthropic/claude-x', catalog);
    expect(target.provider).toBeNull();
    expect(problemsOf(() => modelClientOf(target, catalog, CALLER))[0]?.message).toContain("provider 'anthropic'");
  });

  test('a bare name, and a whole name that the first one lists, go to the first one', () => {
    expect(targetOf('gpt-5')).toBe('local gpt-5');
    expect(targetOf('team/fake')).toBe('local team/fake');
    expect(targetOf('local/nosuch/fake')).toBe('local nosuch/fake');
  });

  test('the list of its endpoint counts too, also with wildcards, and the catalogue for a known gateway', () => {
    const found = withFoundModels(catalog, [{ providerId: 'local', models: ['org/model', 'anthropic/*'] }]);
    expect(targetOf('org/model', found)).toBe('local org/model');
    expect(targetOf('anthropic/claude-x', found)).toBe('local anthropic/claude-x');
    expect(() => targetOf('org/other', found)).toThrow('not configured');
    const others = withFoundModels(catalog, [{ providerId: 'openai', models: ['org/model'] }]);
    expect(() => targetOf('org/model', others)).toThrow('not configured');
    const gateway = { router: { ...LOCAL, baseUrl: 'https://openrouter.ai/api/v1' } };
    const router = catalogOfSettings({ providers: gateway, model: {} });
    expect(targetOf('anthropic/claude-sonnet-4.5', router)).toBe('router anthropic/claude-sonnet-4.5');
    expect(() => targetOf('anthropc/claude-sonnet-4.5', router)).toThrow('not configured');
  });
});

describe('model clients', () => {
  test('the managed proxy requires a user id', () => {
    const catalog = { providers: [PROXY] };
    const target = resolveModelTarget('holaboss_model_proxy/gpt-5.4', catalog);
    const [problem] = problemsOf(() => modelClientOf(target, catalog, CALLER));
    expect(problem?.message).toContain('HOLABOSS_USER_ID');
  });

  it('reports the missing settings of a direct provider', () => {
    const bare = provider('x', null, { api_key: null });
    const [problem] = problemsOf(() => route('x/m', bare));
    expect(problem).toMatchObject({
      code: 'model_provider_unconfigured',
      message: "Direct provider 'x' is not fully configured (missing: api_key, base_url).",
    });
  });

  it('reports the required provider when none is configured', () => {
    const [problem] = problemsOf(() => route('gemini-2.5-pro'));
    expect(problem).toMatchObject({
      message: expect.stringContaining("'google'"),
      hint: expect.stringContaining('google'),
    });
  });

  it('refers to a key by its setting', () => {
    const entry = provider('x', 'https://x.example/v1', { api_key: { setting: 'providers.x.apiKey' } });
    expect(route('x/m', entry).api_key).toBe('{setting:providers.x.apiKey}');
  });
});

describe('selection of the model', () => {
  it('uses the first source with a model and returns that source', () => {
    expect(chooseModel(' m1 ', 'm2', 'm3')).toEqual({ model: 'm1', source: 'request' });
    expect(chooseModel('', 'm2', 'm3')).toEqual({ model: 'm2', source: 'installation' });
    expect(chooseModel(null, ' ', 'm3')).toEqual({ model: 'm3', source: 'agent' });
    expect(chooseModel(undefined, undefined, undefined)).toEqual({ model: 'openai/gpt-5.4', source: 'default' });
  });
});

describe('thinking values', () => {
  test.each([
    [null, null, null],
    ['', null, null],
    ['none', 'off', null],
    ['OFF', 'off', null],
    ['false', 'off', null],
    ['minimal', 'minimal', null],
    ['low', 'low', null],
    [' Medium ', 'medium', null],
    ['high', 'high', null],
    ['xhigh', 'xhigh', null],
    ['max', 'xhigh', null],
    ['default', 'low', null],
    ['true', 'medium', null],
    ['enabled', 'medium', null],
    ['0', 'off', null],
    ['-1', 'high', { high: -1 }],
    ['128', 'minimal', { minimal: 128 }],
    ['1024', 'minimal', { minimal: 1024 }],
    ['1025', 'low', { low: 1025 }],
    ['4096', 'low', { low: 4096 }],
    ['4097', 'medium', { medium: 4097 }],
    ['8192', 'medium', { medium: 8192 }],
    ['12288', 'medium', { medium: 12288 }],
    ['12289', 'high', { high: 12289 }],
    ['32768', 'high', { high: 32768 }],
  ])('parses %j as %s', (value, level, budgets) => {
    expect(parseThinking(value)).toEqual({ level, budgets, known: true });
  });

  test.each(['hard', '1.5', '1e3', 'NaN', 'constructor'])('%j is not known', (value) => {
    expect(parseThinking(value)).toEqual({ level: null, budgets: null, known: false });
  });
});
