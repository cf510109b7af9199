import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { prepareStage } from '../prepare/prepare-stage.ts';
import { redact } from '../redact/redact.ts';
import { problemsOf } from '../testing/expect-problem.ts';
import { INSTALLATION, inputOf, planOf } from '../testing/inputs.ts';
import { resolveHostRequest } from './resolve.ts';
import { diffJson } from './snapshot-diff.ts';

const plan = planOf({
  resolved_mcp_servers: [
    {
      server_id: 'gh',
      type: 'remote',
      command: [],
      url: 'https://gh.example/mcp',
      headers: [['Authorization', 'Bearer {env:FOO}']],
      environment: [],
      timeout_ms: 1000,
    },
  ],
});
const prepared = () => prepareStage(inputOf({ plan, instruction: 'Explain {env:FOO}' }));
const values = {
  workspaceDir: '/runs/1/work',
  environment: (name: string) => ({ FOO: 'foo-value' })[name],
  modelEnvironment: (name: string) => ({ FOO: 'foo-value', OPENAI_API_KEY: 'sk-value' })[name],
  setting: () => undefined,
};

describe('resolving a host request', () => {
  it('replaces placeholders, except in text written by people', () => {
    const { request, secrets } = resolveHostRequest(prepared().hostRequest, values);
    expect(request.workspace_dir).toBe('/runs/1/work');
    expect(request.model_client?.api_key).toBe('sk-value');
    expect(request.mcp_servers[0]?.config).toMatchObject({ headers: { Authorization: 'Bearer foo-value' } });
    expect(request.instruction).toContain('Explain {env:FOO}');
    expect([...secrets].sort()).toEqual(['foo-value', 'sk-value']);
  });

  it('reports all missing values', () => {
    const problems = problemsOf(() =>
      resolveHostRequest(prepared().hostRequest, {
        ...values,
        environment: () => undefined,
        modelEnvironment: () => undefined,
      }),
    );
    expect(problems.map((problem) => problem.path)).toEqual([
      'providers.openai.apiKeyEnv',
      'mcp_registry.servers.gh.headers.Authorization',
    ]);
  });

  it('gives no server the key of a provider', () => {
    const [server] = prepared().hostRequest.mcp_servers;
    if (server?.config.type !== 'remote') throw new Error('a remote server is needed');
    const withHeader = (value: string) => ({
      ...prepared().hostRequest,
      mcp_servers: [{ ...server, config: { ...server.config, headers: { 'X-Key': value } } }],
    });
    expect(
      problemsOf(() => resolveHostRequest(withHeader('{env:OPENAI_API_KEY}'), values)).map(({ path }) => path),
    ).toEqual(['mcp_registry.servers.gh.headers.X-Key']);
    const { request } = resolveHostRequest(withHeader('{setting:providers.openai.apiKey}'), {
      ...values,
      setting: () => 'sk-value',
    });
    expect(JSON.stringify(request.mcp_servers)).not.toContain('sk-value');
  });

  it('resolves keys by their setting', () => {
    const [entry] = INSTALLATION.providers.providers;
    if (entry === undefined) throw new Error('a provider is needed');
    const providers = { providers: [{ ...entry, api_key: { setting: 'providers.openai.apiKey' } }] };
    const { hostRequest } = prepareStage(
      inputOf({ installation: { ...INSTALLATION, providers }, selectedModel: 'openai/m' }),
    );
    const setting = (path: string) => (path === 'providers.openai.apiKey' ? 'from-settings' : undefined);
    expect(resolveHostRequest(hostRequest, { ...values, setting }).request.model_client?.api_key).toBe('from-settings');
    const missing = problemsOf(() => resolveHostRequest(hostRequest, values));
    expect(missing[0]).toMatchObject({ path: 'providers.openai.apiKey' });
  });

  it('returns the values that redaction has to hide', () => {
    const { request, secrets } = resolveHostRequest(prepared().hostRequest, values);
    const redacted = JSON.stringify(redact({ ...request, output: 'the key is foo-value' }, { secrets: [...secrets] }));
    expect(redacted).not.toMatch(/foo-value|sk-value/);
  });
});

describe('differences of snapshots', () => {
  it('lists the differences between two runs', () => {
    const [a, b] = [
      prepared(),
      prepareStage(inputOf({ plan, instruction: 'Explain {env:FOO}', thinkingValue: 'high' })),
    ];
    expect(diffJson(a.snapshot, b.snapshot).map((difference) => difference.path)).toEqual([
      'fingerprint',
      'harness_request.thinking_value',
      'harness_request.run_started_payload.request_snapshot_fingerprint',
    ]);
  });

  test('property: is empty only for equal values, and otherwise has both sides', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(diffJson(a, structuredClone(a))).toEqual([]);
        const same = diffJson(a, b).length === 0;
        expect(same).toBe(diffJson(b, a).length === 0);
        for (const { path } of diffJson(a, b)) expect(typeof path).toBe('string');
      }),
    );
  });
});
