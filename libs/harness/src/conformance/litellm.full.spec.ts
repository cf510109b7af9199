import { afterAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { litellmAdapter } from '../adapters/litellm/adapter.ts';
import { installedRuntime } from '../executables/installed.ts';
import { startLitellm } from '../testing/litellm-proxy.ts';
import { startToolFixture } from '../testing/tool-fixture.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { type ConformanceSubject, conformance, drive, installedLitellm } from './index.ts';
import { SCENARIOS } from './scenarios.ts';
import { SCENARIO_NAMES } from './subject.ts';

const CASE_MS = 120_000;

const model = await startScriptedModel({ scenarios: SCENARIOS });
const gateway = await startToolFixture();
const command = installedRuntime(await installedLitellm(), 'litellm')?.executable ?? '';
const proxy = await startLitellm(command, SCENARIO_NAMES, model.url);
afterAll(async () => {
  await proxy.close();
  gateway.close();
  await model.close();
});

const litellm: ConformanceSubject = {
  adapter: litellmAdapter,
  without: EXCEPTIONS.litellm ?? {},
  settings: { provider: 'scripted', retries: 1, baseDelayMs: 50 },
  endpoint: (scenario) => ({ api: 'openai-completions', baseUrl: proxy.modelUrl(scenario), apiKey: proxy.key }),
  gateway: gateway.endpoint,
  instruction: (_scenario, text) => text,
  folder: () => tempDir('conformance'),
};

describe('litellm conforms', () => {
  test.each(conformance(litellm))('$name', ({ run }) => run(litellm), CASE_MS);
});

const probeOf = (settings: { provider?: string }, baseUrl = proxy.modelUrl('text')) => {
  const providers = { scripted: { api: 'openai-completions' as const, baseUrl, apiKey: proxy.key } };
  return litellmAdapter.probe({ settings, path: '', providers }, 20_000);
};

test('a probe accepts a proxy that takes calls, and refuses everything else', async () => {
  expect(await probeOf({ provider: 'scripted' })).toMatchObject({ healthy: true });
  expect(await probeOf({})).toMatchObject({
    healthy: false,
    reason: expect.stringContaining('no provider litellm is configured'),
    hint: expect.stringContaining('harness.litellm.config'),
  });
  expect(await probeOf({ provider: 'scripted' }, 'http://127.0.0.1:65500/v1')).toMatchObject({
    healthy: false,
    reason: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await probeOf({ provider: 'scripted' }, `${model.url}/v1`)).toMatchObject({
    healthy: false,
    reason: expect.stringContaining('is not a LiteLLM proxy that takes calls'),
  });
});

test('a run with a model of another provider is refused', async () => {
  const driven = await drive({ ...litellm, settings: {} }, 'text', 'Hello.');
  expect((await driven.result()).result).toMatchObject({
    status: 'failed',
    error: { code: 'harness_unsupported', hint: expect.stringContaining('litellm/<model>') },
  });
});
