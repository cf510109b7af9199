import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isReinsError, type Problem } from '@reins/contracts';
import { loadSettings } from './load-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'reins-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const problemsOf = (load: () => unknown): readonly Problem[] => {
  try {
    load();
  } catch (error) {
    if (isReinsError(error)) return error.problems;
    throw error;
  }
  return [];
};

describe('settings', () => {
  test('without a file and an environment they are the defaults', () => {
    const settings = loadSettings(undefined, {});
    expect(settings.nats).toMatchObject({ url: 'nats://127.0.0.1:4222', partitions: 16, managed: 'self' });
    expect(settings.runtimeProfile.stages).toEqual({});
  });

  test('YAML and TOML say the same; the environment wins over both', () => {
    const yaml = file(
      'reins.yaml',
      'runtime_profile:\n  default: pi\n  stages: {evaluate: openai_chat}\nproviders:\n  my_llm: {api: openai-completions, base_url: "http://x/v1", api_key_env: MY_KEY}\n',
    );
    const toml = file(
      'reins.toml',
      '[runtime_profile]\ndefault = "pi"\n[runtime_profile.stages]\nevaluate = "openai_chat"\n[providers.my_llm]\napi = "openai-completions"\nbase_url = "http://x/v1"\napi_key_env = "MY_KEY"\n',
    );
    const environment = {
      REINS_RUNTIME_PROFILE_DEFAULT: 'echo',
      REINS_HTTP_PORT: '8080',
      REINS_HOST_RUNTIMES: 'pi, echo',
      UNRELATED: 'x',
    };
    expect(loadSettings(yaml, environment)).toEqual(loadSettings(toml, environment));
    expect(loadSettings(yaml, environment)).toMatchObject({
      runtimeProfile: { default: 'echo', stages: { evaluate: 'openai_chat' } },
      http: { port: 8080 },
      host: { runtimes: ['pi', 'echo'] },
      providers: { my_llm: { api: 'openai-completions', baseUrl: 'http://x/v1', apiKeyEnv: 'MY_KEY' } },
    });
  });

  test('everything that is wrong is told at once, with its path', () => {
    const path = file(
      'bad.yaml',
      'nats: {partition: 4}\nruntime_profile: {stages: {Execute: pi}}\ndatabas: {}\nproviders: {a: {api: gopher}}\n',
    );
    const problems = problemsOf(() => loadSettings(path, { REINS_NATS_REPLICAS: '2', REINS_LOG_LEVEL: 'loud' }));
    expect(problems.map((problem) => problem.path)).toEqual(
      expect.arrayContaining([
        'nats.partition',
        'databas',
        'nats.replicas',
        'log.level',
        'providers.a.api',
        'providers.a.baseUrl',
        'runtimeProfile.stages.Execute',
      ]),
    );
    expect(problems.find((problem) => problem.path === 'nats.partition')?.hint).toBe('did you mean partitions?');
    expect(problems.every((problem) => problem.code === 'settings_invalid')).toBe(true);
  });

  test('a file that is no mapping, or cannot be read, is refused', () => {
    expect(problemsOf(() => loadSettings(file('list.yaml', '- 1'), {}))).toHaveLength(1);
    expect(problemsOf(() => loadSettings(join(folder, 'missing.yaml'), {}))).toHaveLength(1);
    expect(problemsOf(() => loadSettings(file('broken.yaml', 'a: [1'), {}))).toHaveLength(1);
  });

  test('the standard variables of OpenTelemetry count where ours are not set', () => {
    const standard = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-team=a=b',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    };
    expect(loadSettings(undefined, standard).telemetry).toMatchObject({
      endpoint: 'http://collector:4318',
      headers: { authorization: 'Bearer abc', 'x-team': 'a=b' },
      protocol: 'http/json',
    });
    const ours = { ...standard, REINS_TELEMETRY_ENDPOINT: 'http://own:4318' };
    expect(loadSettings(undefined, ours).telemetry.endpoint).toBe('http://own:4318');
    const off = { ...standard, OTEL_SDK_DISABLED: 'true' };
    expect(loadSettings(undefined, off).telemetry.endpoint).toBeUndefined();
  });

  test('a problem never shows the value, which may be a secret', () => {
    const problems = problemsOf(() =>
      loadSettings(undefined, { REINS_PROVIDERS: '{"p": {"api": "sk-secret-canary", "baseUrl": 5}}' }),
    );
    expect(JSON.stringify(problems)).not.toContain('sk-secret-canary');
    expect(problems.length).toBeGreaterThan(0);
  });
});
