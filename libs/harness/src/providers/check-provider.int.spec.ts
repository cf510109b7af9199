import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { openaiChatAdapter } from '../adapters/openai_chat/adapter.ts';
import { piAdapter } from '../adapters/pi/adapter.ts';
import type { HarnessEnvironment, ProviderEndpoint } from '../contract.ts';
import { checkProvider } from './check-provider.ts';
import { probeProviders } from './probe-providers.ts';

const DEADLINE_MS = 20_000;
const SECRET = 'sk-canary-4711';

const model = await startScriptedModel();
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) server.close();
  await model.close();
});

/** An endpoint of another vendor that answers every call in the same way. */
async function answering(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status, headers).end(body));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const endpoint = (baseUrl: string, more: Partial<ProviderEndpoint> = {}): ProviderEndpoint => ({
  api: 'openai-completions',
  baseUrl,
  apiKey: SECRET,
  keySetting: { path: 'providers.a.api_key_env', variable: 'A_KEY' },
  ...more,
});
const scripted = (more: Partial<ProviderEndpoint> = {}) => endpoint(`${model.url}/s/text/v1`, more);

const check = (of: ProviderEndpoint, modelId?: string) =>
  checkProvider({ providerId: 'a', endpoint: of, modelId }, DEADLINE_MS);

describe('a provider', () => {
  test.each(['openai-completions', 'openai-responses', 'anthropic-messages', 'google-generative-ai'] as const)(
    'is ok when it lists its models through the %s API',
    async (api) => {
      const base = { 'anthropic-messages': '', 'google-generative-ai': '/v1beta' }[api as string] ?? '/v1';
      expect(await check(endpoint(`${model.url}/s/text${base}`, { api }), 'scripted-model')).toEqual({
        providerId: 'a',
        status: 'ok',
        models: ['scripted-model'],
      });
    },
  );

  test('is ok at the bare host root of Gemini', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{"models":[{"name":"models/g"}]}');
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await check(endpoint(baseUrl, { api: 'google-generative-ai' }), 'g')).toMatchObject({ status: 'ok' });
    expect(asked).toEqual(['/v1beta/models?pageSize=1000']);
  });

  test('has failed if its key is the login of a vendor, and is not called', async () => {
    const health = await check(endpoint('http://127.0.0.1:1/v1', { apiKey: 'sk-ant-oat01-canary' }));
    expect(health).toMatchObject({ status: 'failed', reason: expect.stringContaining('Claude') });
    expect(JSON.stringify(health)).not.toContain('canary');
  });

  test.each([
    ['incomplete', { data: [{ id: 'a' }], has_more: true }],
    ['too long for an offer', { data: Array.from({ length: 201 }, (_, i) => ({ id: `m${i}` })) }],
    ['with names of another form', { data: [{ id: 'a' }, { id: 'x\nfake' }] }],
  ])('does not pass on a list that is %s', async (_, list) => {
    const health = await check(endpoint(await answering(200, JSON.stringify(list))));
    expect(health).toEqual({ providerId: 'a', status: 'ok' });
  });

  test('fails when it is unreachable, without the credentials in the URL', async () => {
    const health = await check(endpoint(`http://user:${SECRET}@127.0.0.1:9/v1?key=${SECRET}`));
    expect(health).toEqual({
      providerId: 'a',
      status: 'failed',
      reason: expect.stringMatching(/^provider a cannot be reached at http:\/\/127\.0\.0\.1:9\/v1 \(.+\)$/),
      hint: 'Check that the endpoint is running and that this host can reach it, or correct providers.a.base_url.',
    });
    expect(JSON.stringify(health)).not.toContain(SECRET);
  });

  test('fails without a call when its key is missing, and names the setting', async () => {
    const calls = model.requests().length;
    expect(await check(scripted({ apiKey: '' }))).toMatchObject({
      status: 'failed',
      reason: 'provider a has no key: providers.a.api_key_env names A_KEY, which is not set',
      hint: 'Set A_KEY in the environment of the harness host.',
    });
    expect(model.requests()).toHaveLength(calls);
  });

  test('fails when it refuses the key, and names the setting', async () => {
    expect(await check(scripted({ apiKey: 'bad-key' }))).toMatchObject({
      status: 'failed',
      reason: 'provider a refused its API key',
      hint: 'Set a valid key in A_KEY (providers.a.api_key_env).',
    });
    expect(await check(scripted({ apiKey: 'bad-key', keySetting: { path: 'providers.a.api_key' } }))).toMatchObject({
      hint: 'Set a valid key in providers.a.api_key.',
    });
  });

  test('fails when the file of its key is missing or empty', async () => {
    const keySetting = { path: 'providers.a.api_key_file', file: '/keys/a' };
    expect(await check(scripted({ apiKey: '', keySetting }))).toEqual({
      providerId: 'a',
      status: 'failed',
      reason: 'provider a has no key: providers.a.api_key_file names /keys/a, which is missing or empty',
      hint: 'Write the key into /keys/a on the machine of the harness host.',
    });
    expect(await check(scripted({ apiKey: 'bad-key', keySetting }))).toMatchObject({
      hint: 'Set a valid key in /keys/a (providers.a.api_key_file).',
    });
  });

  test('fails when it requires a key and none is configured', async () => {
    const { keySetting: _, ...keyless } = endpoint(await answering(401, '{}'), { apiKey: '' });
    expect(await check(keyless)).toMatchObject({ reason: 'provider a requires an API key' });
  });

  test.each([
    ['a Gemini endpoint', '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}'],
    ['a LiteLLM proxy without a database', '{"error":{"type":"no_db_connection"}}'],
  ])('fails when %s refuses the key with 400', async (_, body) => {
    expect(await check(endpoint(await answering(400, body)))).toMatchObject({
      status: 'failed',
      reason: 'provider a refused its API key',
    });
  });

  test('fails when its gateway has no upstream', async () => {
    expect(await check(endpoint(await answering(503, `no key ${SECRET}`)))).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^provider a responds with 503 at http:.*\/v1$/),
    });
  });

  test('fails when it lacks the model, and suggests others', async () => {
    expect(await check(scripted(), 'gpt-9')).toMatchObject({
      status: 'failed',
      reason: 'provider a does not have the model gpt-9',
      hint: 'Set model.override to a model of the provider, such as a/scripted-model.',
    });
  });

  test.each([
    ['404', 404, ''],
    ['405', 405, ''],
    ['429', 429, ''],
    ['500', 500, ''],
    ['a redirect', 302, ''],
    ['a page', 200, '<html></html>'],
    ['an incomplete list', 200, '{"data":[{"id":"b"}],"has_more":true}'],
  ])('is unknown when it answers with %s', async (_, status, body) => {
    const url = await answering(status, body, status === 302 ? { location: 'http://127.0.0.1:9/' } : {});
    expect(await check(endpoint(url), 'gpt-9')).toMatchObject({ status: 'unknown', reason: expect.any(String) });
  });
});

describe.each([openaiChatAdapter, piAdapter])('the probe of $runtimeId', ({ probe }) => {
  const environment = (more: Partial<HarnessEnvironment>): HarnessEnvironment => ({
    settings: {},
    path: process.env.PATH ?? '',
    providers: {},
    ...more,
  });
  const dead = () => endpoint('http://127.0.0.1:9/v1');

  test('needs a provider', async () => {
    expect(await probe(environment({}), DEADLINE_MS)).toMatchObject({
      healthy: false,
      reason: 'no model provider is configured',
    });
  });

  test('reports every provider, and needs the one that stages use by default', async () => {
    const both = { a: scripted(), b: dead() };
    const statuses = [
      { providerId: 'a', status: 'ok' },
      { providerId: 'b', status: 'failed' },
    ];
    expect(await probe(environment({ providers: both }), DEADLINE_MS)).toMatchObject({
      healthy: true,
      providers: statuses,
    });
    const defaultModel = { providerId: 'b', modelId: 'm' };
    expect(await probe(environment({ providers: both, defaultModel }), DEADLINE_MS)).toMatchObject({
      healthy: false,
      version: expect.stringMatching(/./),
      reason: expect.stringContaining('provider b cannot be reached'),
      hint: expect.stringContaining('providers.b.base_url'),
      providers: statuses,
    });
  });

  test('fails for a model that the provider does not list, and for a provider that is not configured', async () => {
    const providers = { a: scripted() };
    const defaultModel = { providerId: 'a', modelId: 'gpt-9' };
    expect(await probe(environment({ providers, defaultModel }), DEADLINE_MS)).toMatchObject({
      healthy: false,
      reason: 'provider a does not have the model gpt-9',
    });
    expect(await probe(environment({ providers, defaultModel: { providerId: 'z' } }), DEADLINE_MS)).toMatchObject({
      healthy: false,
      reason: expect.stringContaining('provider z, which is not configured'),
    });
  });
});

test('the runtimes of a host share the check of a provider, and no check calls a model', async () => {
  const providers = { a: scripted() };
  const environment = { settings: {}, path: '', providers };
  const before = model.requests().length;
  await Promise.all([probeProviders(environment, DEADLINE_MS), probeProviders(environment, DEADLINE_MS)]);
  await probeProviders(environment, DEADLINE_MS);
  expect(
    model
      .requests()
      .slice(before)
      .map(({ answer }) => answer),
  ).toEqual(['models']);
});
