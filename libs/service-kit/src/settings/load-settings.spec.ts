import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isReinsError, type Problem } from '@reins/contracts';
import { tempDir } from '@reins/testing';
import { loadSettings } from './load-settings.ts';

const folder = await tempDir('settings');
afterAll(() => rmSync(folder, { recursive: true }));

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const CANARY = 'sk-secret-canary';
const YAML = `nats:\n  password: ${CANARY}\nproviders:\n  p: {api: openai-completions, base_url: "http://x/v1", api_key: ${CANARY}}\n  q:\n    api_key: "${CANARY}"\n`;
const TOML = `[nats]\npassword = "${CANARY}"\n[providers.p]\napi = "openai-completions"\nbase_url = "http://x/v1"\napi_key = '${CANARY}'\n`;

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
  test('are the defaults without a file and an environment', () => {
    const settings = loadSettings(undefined, {});
    expect(settings.nats).toMatchObject({ url: 'nats://127.0.0.1:4222', partitions: 16, managed: 'self' });
    expect(settings.runtimeProfile.stages).toEqual({});
  });

  test('are read from YAML or TOML, and overridden by the environment', () => {
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

  test('separate the tables of stages from their runtimes, and name the paths as the file writes them', () => {
    const yaml = file(
      'table.yaml',
      'runtime_profile:\n  stages:\n    execute: {runtime: codex, timeout: 90s, fallback: [pi]}\n    reflect: echo\n',
    );
    const { stages, stageSettings } = loadSettings(yaml, {}).runtimeProfile;
    expect(stages).toEqual({ execute: 'codex', reflect: 'echo' });
    expect(stageSettings).toEqual({ execute: { timeoutMs: 90_000, fallback: [{ runtime: 'pi' }] } });
    const wrong = file('wrong.yaml', 'runtime_profile: {stages: {execute: {runtime: pi, fallbak: [echo]}}}\n');
    expect(problemsOf(() => loadSettings(wrong, {}))).toMatchObject([
      { message: expect.stringContaining('runtime_profile.stages.execute.fallbak'), hint: 'Did you mean fallback?' },
    ]);
  });

  test('are rejected with all problems and their paths', () => {
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
    expect(problems.find((problem) => problem.path === 'nats.partition')?.hint).toBe('Did you mean partitions?');
    expect(problems.every((problem) => problem.code === 'settings_invalid')).toBe(true);
  });

  const scheme = { hint: 'Start the address with http:// or https://.' };
  test.each([
    [
      'htp://x/v1',
      {
        message: expect.stringMatching(
          /^providers\.p\.base_url must be an http or https address \(got "htp:\/\/x\/v1"\) \(in .*address\.yaml\)$/,
        ),
        ...scheme,
      },
    ],
    ['x.example.com/v1', scheme],
    ['localhost:8000/v1', scheme],
    ['http:/x/v1', scheme],
    ['http://', scheme],
    [
      'https://x/v1/v1/',
      { message: expect.stringContaining('providers.p.base_url ends with /v1 twice'), hint: 'Write https://x/v1.' },
    ],
    ['https://x/api/v1/api/v1', { hint: 'Write https://x/api/v1.' }],
  ])('are rejected with one problem when the address of a provider is %s', (baseUrl, expected) => {
    const path = file('address.yaml', `providers: {p: {api: openai-completions, base_url: "${baseUrl}"}}\n`);
    const problems = problemsOf(() => loadSettings(path, {}));
    expect(problems).toMatchObject([{ code: 'settings_invalid', path: 'providers.p.baseUrl', ...expected }]);
  });

  test.each([
    ['https://chatgpt.com/backend-api/codex', 'ChatGPT'],
    ['https://claude.ai/api', 'Claude'],
    ['https://cloudcode-pa.googleapis.com', 'Gemini'],
    ['https://bedrock-runtime.eu-central-1.amazonaws.com', 'Amazon Bedrock'],
    ['https://europe-west1-aiplatform.googleapis.com/v1', 'Google Vertex AI'],
    ['https://x.openai.azure.com/openai/deployments/m', 'Azure OpenAI'],
    ['https://x.services.ai.azure.com/models', 'Azure OpenAI'],
  ])('are rejected when the endpoint %s takes no API key', (baseUrl, name) => {
    const path = file('unsupported.yaml', `providers: {p: {api: openai-completions, base_url: "${baseUrl}"}}\n`);
    const problems = problemsOf(() => loadSettings(path, {}));
    expect(problems).toMatchObject([{ code: 'credentials_unsupported', path: 'providers.p.baseUrl' }]);
    expect(problems[0]?.message).toContain(name);
  });

  test.each([
    ['bedrock-converse-stream', 'Amazon Bedrock'],
    ['google-vertex', 'Google Vertex AI'],
    ['azure-openai-responses', 'Azure OpenAI'],
    ['openai-codex-responses', 'logins of vendor accounts'],
  ])('are rejected by name for the API %s', (api, name) => {
    const path = file('api.yaml', `providers: {p: {api: ${api}, base_url: "https://x/v1"}}\n`);
    const problems = problemsOf(() => loadSettings(path, {}));
    expect(problems).toMatchObject([{ code: 'credentials_unsupported', path: 'providers.p.api' }]);
    expect(problems[0]?.message).toContain(`providers.p.api does not support ${name} (in `);
  });

  test('accept the endpoints of Azure and Bedrock that take an API key', () => {
    const urls = ['https://x.openai.azure.com/openai/v1', 'https://bedrock-runtime.us-west-2.amazonaws.com/openai/v1/'];
    for (const baseUrl of urls) {
      const path = file('keyed.yaml', `providers: {p: {api: openai-completions, base_url: "${baseUrl}"}}\n`);
      expect(loadSettings(path, {}).providers.p?.baseUrl).toBe(baseUrl);
    }
  });

  test('have headers and aliases of providers as they are written, and reject values of other types', () => {
    const provider = 'api: openai-completions, base_url: "http://x/v1", ';
    const valid = `providers: {p: {${provider}headers: {x_team: a}, aliases: {old_name: new}}}\nmodel: {aliases: {my_fast: p/m}}\n`;
    expect(loadSettings(file('maps.yaml', valid), {})).toMatchObject({
      providers: { p: { headers: { x_team: 'a' }, aliases: { old_name: 'new' } } },
      model: { aliases: { my_fast: 'p/m' } },
    });
    const invalid = `providers: {p: {${provider}headers: {x-team: 5}, aliases: {a: ""}}}\nmodel: {aliases: {b: []}}\n`;
    const problems = problemsOf(() => loadSettings(file('maps.yaml', invalid), {}));
    const paths = ['providers.p.headers.x-team', 'providers.p.aliases.a', 'model.aliases.b'];
    expect(problems.map(({ path }) => path)).toEqual(paths);
  });

  describe('a mistake of a provider has one problem, in the words of the file', () => {
    const of = (provider: string) => {
      const path = file('typo.yaml', `providers:\n  typo: ${provider}\n`);
      return problemsOf(() => loadSettings(path, {})).map(({ path: at, message, hint }) => [
        at,
        message.replace(folder, ''),
        hint,
      ]);
    };
    const API = 'api: openai-completions';

    test.each([
      [`{${API}, baseurl: http://x/v1}`, 'baseurl', 'unknown setting providers.typo.baseurl', 'Did you mean base_url?'],
      [`{${API}, baseURL: http://x/v1}`, 'baseURL', 'unknown setting providers.typo.baseURL', 'Did you mean baseUrl?'],
      [`{${API}}`, 'baseUrl', 'providers.typo.base_url is missing', undefined],
      [`{${API}, base_url: 5}`, 'baseUrl', 'providers.typo.base_url must be a string', undefined],
      [`{${API}, baseUrl: 5}`, 'baseUrl', 'providers.typo.baseUrl must be a string', undefined],
      [
        `{${API}, base_url: http://x/v1, max_calls: 0}`,
        'maxCalls',
        'providers.typo.max_calls must not be less than 1',
        undefined,
      ],
      [
        `{${API}, base_url: http://x/v1, models: {m: {input_prise: 1}}}`,
        'models.m.inputPrise',
        'unknown setting providers.typo.models.m.input_prise',
        'Did you mean input_price?',
      ],
    ])('%s', (provider, path, message, hint) => {
      expect(of(provider)).toEqual([[`providers.typo.${path}`, `${message} (in /typo.yaml)`, hint]]);
    });

    test('a misspelt value has a suggestion', () => {
      expect(of('{api: openai-completion, base_url: http://x/v1}')).toMatchObject([
        ['providers.typo.api', expect.stringMatching(/must be one of .* \(in/), 'Did you mean openai-completions?'],
      ]);
    });

    test('an unknown name without a similar one gets the names that there are', () => {
      const [[, , hint] = []] = of(`{${API}, base_url: http://x/v1, zzz: 1}`);
      expect(hint).toMatch(/^Use one of api, base_url, api_key, api_key_env/);
    });
  });

  test('a problem of a variable names the variable', () => {
    const path = file('both.yaml', 'log: {level: info}\nproviders: {p: {api: x}}\n');
    const environment = {
      REINS_LOG_LEVEL: 'loud',
      REINS_PROVIDERS: '{"p": {"api": "openai-completions", "baseurl": "http://x"}}',
    };
    expect(problemsOf(() => loadSettings(path, environment)).map(({ message, hint }) => [message, hint])).toEqual([
      ['unknown setting providers.p.baseurl (in REINS_PROVIDERS)', 'Did you mean baseUrl?'],
      [expect.stringMatching(/^log.level must be one of .* \(in REINS_LOG_LEVEL\)$/), undefined],
    ]);
  });

  test('are rejected when the file is not a mapping or cannot be read', () => {
    expect(problemsOf(() => loadSettings(file('list.yaml', '- 1'), {}))).toHaveLength(1);
    expect(problemsOf(() => loadSettings(join(folder, 'missing.yaml'), {}))).toHaveLength(1);
    expect(problemsOf(() => loadSettings(file('broken.yaml', 'a: [1'), {}))).toHaveLength(1);
  });

  test('fall back to the standard OpenTelemetry variables', () => {
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
    const described = loadSettings(undefined, {
      OTEL_SERVICE_NAME: 'edge',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=a%20b',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(described.telemetry).toMatchObject({
      serviceName: 'edge',
      resourceAttributes: { 'deployment.environment.name': 'test', team: 'a b' },
      sampler: 'parentbased_traceidratio',
      sampleRatio: 0.25,
    });
    const off = { ...standard, OTEL_SDK_DISABLED: 'true' };
    expect(loadSettings(undefined, off).telemetry.endpoint).toBeUndefined();
  });

  test('are rejected without quoting values, which may be secrets', () => {
    const problems = problemsOf(() =>
      loadSettings(undefined, { REINS_PROVIDERS: '{"p": {"api": "sk-secret-canary", "baseUrl": 5}}' }),
    );
    expect(JSON.stringify(problems)).not.toContain('sk-secret-canary');
    expect(problems.length).toBeGreaterThan(0);
  });

  test.each([
    ['reins.yaml', YAML],
    ['reins.toml', TOML],
  ])('are rejected without quoting the file, if any character of %s is wrong', (name, text) => {
    let broken = 0;
    for (const at of Array(text.length + 1).keys())
      for (const sign of ['"', '{', ': ', '- ', '\n', '=', '&', '?', ','])
        for (const removed of [0, 1]) {
          const path = file(name, text.slice(0, at) + sign + text.slice(at + removed));
          try {
            loadSettings(path, {});
          } catch (error) {
            broken += 1;
            if (!isReinsError(error)) throw error;
            if (inspect(error, { depth: 9 }).includes(CANARY)) throw new Error(`quoted after ${sign} at ${at}`);
          }
        }
    expect(broken).toBeGreaterThan(0);
    expect(problemsOf(() => loadSettings(file(name, `${text}\n[`), {}))).toMatchObject([
      { code: 'settings_invalid', message: expect.stringMatching(/ at line \d+, column \d+$/) },
    ]);
  });

  test('the runtime profile may be written within orchestrator', () => {
    const yaml = 'orchestrator:\n  runtime_profile:\n    default: pi\n    stages: {evaluate: echo}\n';
    const toml = `[orchestrator.runtime_profile]
default = "pi"
workspace_may_use = ["echo"]
[orchestrator.runtime_profile.stages]
evaluate = "echo"`;
    const expected = { default: 'pi', stages: { evaluate: 'echo' } };
    expect(loadSettings(file('orchestrator.yaml', yaml), {}).runtimeProfile).toMatchObject(expected);
    const fromToml = loadSettings(file('orchestrator.toml', toml), { REINS_RUNTIME_PROFILE_DEFAULT: 'openai_chat' });
    expect(fromToml.runtimeProfile).toEqual({ ...expected, default: 'openai_chat', workspaceMayUse: ['echo'] });
  });

  test.each([
    ['runtime_profile: {default: pi}\norchestrator: {runtime_profile: {default: pi}}', 'orchestrator.runtime_profile'],
    ['runtime_profile: {default: pi}\norchestrator: {runtimeProfile: {default: pi}}', 'orchestrator.runtimeProfile'],
    ['orchestrator: {worker: pi}', 'orchestrator.worker'],
    ['orchestrator: pi', 'orchestrator'],
    ['orchestrator: {runtime_profile: {stages: {Execute: pi}}}', 'runtimeProfile.stages.Execute'],
  ])('and nothing else, nor twice: %s', (text, path) => {
    expect(problemsOf(() => loadSettings(file('orchestrator.yaml', text), {}))).toMatchObject([{ path }]);
  });

  test.each([
    'runtime_profile:',
    'runtime_profile: {default: , stages: , workspace_may_use: }',
    'runtime_profile: {stages: {execute: }}',
    'orchestrator:',
    'orchestrator: {runtime_profile: }',
    'orchestrator: {runtime_profile: {stages: {execute: null}}}',
    'nats: {url: }\nproviders:\nharness:',
  ])('null and absent mean the same: %s', (text) => {
    const environment = {
      REINS_RUNTIME_PROFILE_STAGES: 'null',
      REINS_PROVIDERS: 'null',
      REINS_HARNESS: 'null',
    };
    expect(loadSettings(file('unset.yaml', text), environment)).toEqual(loadSettings(undefined, {}));
  });

  test.each([
    'providers: x',
    'providers: [1]',
    'providers: {p: }',
    'providers: {p: x}',
    'providers: {p: [1]}',
    'nats: x',
    'runtime_profile: x',
    'runtime_profile: {stages: x}',
    'harness: x',
  ])('are rejected when a value has the wrong type: %s', (text) => {
    const [path] = text.split(/[:{ ]/);
    const problems = problemsOf(() => loadSettings(file('shape.yaml', text), {}));
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem.path).toMatch(camel(path as string));
  });

  test('are rejected when a URL that is stored in requests contains a password', () => {
    const url = `https://me:${CANARY}@host/v1`;
    const problems = problemsOf(() =>
      loadSettings(undefined, {
        REINS_PROVIDERS: JSON.stringify({ p: { api: 'openai-completions', baseUrl: url } }),
        REINS_DESKTOP_URL: url,
        REINS_PREPARE_RUNTIME_API_URL: url,
        REINS_TELEMETRY_ENDPOINT: url,
      }),
    );
    const paths = ['desktop.url', 'prepare.runtimeApiUrl', 'providers.p.baseUrl', 'telemetry.endpoint'];
    expect(problems.map(({ path }) => path).sort()).toEqual(paths);
    expect(JSON.stringify(problems)).not.toContain(CANARY);
    const valid = JSON.stringify({ p: { api: 'openai-completions', baseUrl: 'https://host/v1/@cf/model?to=a@b' } });
    expect(() => loadSettings(undefined, { REINS_PROVIDERS: valid })).not.toThrow();
  });
});
