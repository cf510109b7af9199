import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ReinsError } from '@reins/contracts';
import { processSettings } from '@reins/service-kit/installation';
import { tempDir } from '@reins/testing';
import { litellmProxy } from './litellm-proxy.ts';
import { startModels } from './providers.ts';

const CONFIG = `model_list:
  - model_name: fast
    litellm_params: { model: openai/gpt-5.4, api_key: os.environ/OPENAI_KEY }
  - model_name: local
    litellm_params: { model: openai/local, api_key: os.environ/MISSING_KEY }
`;

async function options(harness: object, config = CONFIG, more: Readonly<Record<string, string>> = {}) {
  const folder = await tempDir('litellm');
  writeFileSync(join(folder, 'litellm.yaml'), config);
  const given = { command: '/opt/litellm', config: join(folder, 'litellm.yaml'), ...harness };
  const settings = processSettings({ REINS_HARNESS: JSON.stringify({ litellm: given }), ...more });
  const env = { PATH: '/usr/bin', OPENAI_KEY: 'sk-upstream', REINS_NATS_URL: 'nats://secret', OTHER_KEY: 'sk-other' };
  return { settings, env, harnessesDir: join(folder, 'none'), stateDir: folder };
}

test('without a configuration, there is no proxy', async () => {
  expect(litellmProxy(await options({ config: null }))).toBeUndefined();
});

test('the proxy gets the variables that its configuration names, and no others', async () => {
  const given = await options({}, CONFIG, { REINS_HTTP_PORT_BASE: '9100' });
  const proxy = litellmProxy(given);
  const { env = {}, args = [], main, isProgram, readyUrls } = proxy?.service ?? { readyUrls: [] };
  expect({ main, isProgram }).toEqual({ main: '/opt/litellm', isProgram: true });
  const [port] = args.slice(args.indexOf('--port') + 1);
  expect(Number(port)).toBeGreaterThan(9100);
  expect(readyUrls).toEqual([`http://127.0.0.1:${port}/health/readiness`]);
  expect(env).toMatchObject({
    PATH: '/usr/bin',
    OPENAI_KEY: 'sk-upstream',
    LITELLM_MASTER_KEY: proxy?.provider.apiKey,
  });
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['OTHER_KEY']));
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['REINS_NATS_URL']));
  expect(proxy?.provider).toMatchObject({ api: 'openai-completions', baseUrl: `http://127.0.0.1:${port}/v1` });
  expect(args.join(' ')).not.toContain('sk-');
});

test('the proxy is the last provider of the services', async () => {
  const own = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'none' };
  const given = await options({}, CONFIG, { REINS_PROVIDERS: JSON.stringify({ own }) });
  const { env, models } = await startModels(given.settings, {}, given.stateDir, litellmProxy(given)?.provider);
  expect(Object.keys(JSON.parse(env.REINS_PROVIDERS ?? '{}'))).toEqual(['own', 'litellm']);
  expect(models.scripted).toBe(false);
});

test('all problems of the settings are reported at once', async () => {
  const litellm = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'none' };
  const given = await options({ command: null }, 'general_settings:\n  master_key: sk-1\n', {
    REINS_PROVIDERS: JSON.stringify({ litellm }),
  });
  const failure = (() => {
    try {
      return litellmProxy(given);
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toBeInstanceOf(ReinsError);
  expect((failure as ReinsError).problems.map(({ path, hint }) => [path, hint])).toEqual([
    ['harness.litellm.config', expect.stringContaining('Remove master_key')],
    ['harness.litellm.config', expect.stringContaining('reins harness install litellm')],
    ['providers.litellm', expect.stringContaining('Remove providers.litellm')],
  ]);
});

test('a configuration that does not exist is refused', async () => {
  const given = await options({ config: '/nowhere/litellm.yaml' });
  expect(() => litellmProxy(given)).toThrow('/nowhere/litellm.yaml does not exist');
});
