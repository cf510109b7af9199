import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { HostRequest } from '@reins/runtime-config';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { DEFAULT_SETTINGS, HostFixture } from '../testing/host-fixture.ts';

/** Real servers of both registries, as a workspace declares them. */
const SERVERS = [
  { name: 'memory', package: { registry: 'npm', name: '@modelcontextprotocol/server-memory', version: '2025.9.25' } },
  { name: 'time', package: { registry: 'pypi', name: 'mcp-server-time', version: '2026.10.19' } },
] as const;
/** An installation downloads tens of megabytes. */
const LIMITS = {
  startWithinMs: 60_000,
  runForMs: 60_000,
  prepareForMs: 300_000,
  maxAttempts: 1,
  onUnknown: 'fail',
} as const;
const args = { timezone: 'UTC' };
const model = await startScriptedModel({
  scenarios: {
    packages: [
      { tool: { name: 'mcp__memory__read_graph', args: {} } },
      { tool: { name: 'mcp__time__get_current_time', args } },
      { text: 'Done.' },
    ],
  },
});
let fixture: HostFixture;
beforeAll(async () => {
  fixture = await HostFixture.start();
  const host = { ...DEFAULT_SETTINGS.host, runtimes: ['openai_chat'] };
  const { HOME, PIP_CERT, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS } = process.env;
  const environment = { HOME, PIP_CERT, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, XDG_CACHE_HOME: await tempDir('cache') };
  await fixture.host({ host, providers: providers() }, environment);
});
afterAll(async () => {
  await fixture.stop();
  await model.close();
});

const providers = () => ({
  scripted: { api: 'openai-completions', baseUrl: `${model.url}/s/packages/v1`, apiKey: 'sk-test-1234' } as const,
});

async function runStage() {
  const { effectId } = await fixture.request({
    runtimeId: 'openai_chat',
    instruction: 'Use the tools.',
    event: { limits: LIMITS },
    request: {
      provider_id: 'scripted',
      model_id: 'scripted-model',
      model_client: {
        ...{ model_proxy_provider: 'openai_compatible', api_key: '{setting:providers.scripted.apiKey}' },
        ...{ base_url: `${model.url}/s/packages/v1`, default_headers: null },
      },
      mcp_servers: SERVERS.map(({ name, package: item }) => ({
        name,
        config: { type: 'local', enabled: true, command: [], package: item, environment: {}, timeout: 60_000 },
      })) as HostRequest['mcp_servers'],
    },
  });
  const completed = await fixture.finalEvent(effectId);
  const [started] = fixture.eventsOf('runtime.stage.started', effectId);
  const results = fixture.eventsOf('agent.tool.result', effectId).map(({ event }) => event);
  const steps = fixture.eventsOf('effect.progress', effectId).map(({ label }) => label);
  return { completed, started, results, steps };
}

test('a stage calls tools of servers from npm and PyPI, which are installed before it starts', async () => {
  const { completed, started, results, steps } = await runStage();
  expect(started?.degradedServers).toBeUndefined();
  expect(completed).toMatchObject({ type: 'runtime.stage.completed', output: 'Done.' });
  expect(results).toMatchObject([
    { toolId: 'memory.read_graph', output: expect.stringContaining('entities') },
    { toolId: 'time.get_current_time', output: expect.stringContaining('UTC') },
  ]);
  expect(steps.join('\n')).toContain('installing npm:@modelcontextprotocol/server-memory@2025.9.25');
  expect(steps.join('\n')).toContain('pypi:mcp-server-time@2026.10.19');

  const again = await runStage();
  expect(again.completed).toMatchObject({ type: 'runtime.stage.completed' });
  expect(again.steps.join('\n')).not.toContain('installing');
});
