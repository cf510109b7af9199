import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { DEFAULT_SETTINGS, HostFixture, type HostSettings } from '../testing/host-fixture.ts';

const write = (path: string) => ({ tool: { name: 'write', args: { path, content: 'x' } } });
const model = await startScriptedModel({
  scenarios: {
    files: [write('allowed.txt'), write('secret.txt'), { tool: { name: 'todoread', args: {} } }, { text: 'Done.' }],
    stubborn: Array.from({ length: 60 }, () => write('secret.txt')),
    asked: [write('asked.txt'), { text: 'Done.' }],
  },
});
const RUNTIMES = ['openai_chat', 'pi'];
let fixture: HostFixture;

beforeAll(async () => {
  fixture = await HostFixture.start();
});
afterAll(async () => {
  await fixture.stop();
  await model.close();
});

const POLICY = `permit(principal, action in Action::"tool.call", resource)
  unless { resource in Server::"reins" || (context.arguments has path && context.arguments.path == "asked.txt") };

@id("no-secrets")
forbid(principal, action == Action::"write", resource)
  when { context.arguments.path like "*secret*" };

@approval("release")
permit(principal, action == Action::"write", resource);
`;

async function hostWith(policy: string, mode: HostSettings['policy']['mode'] = 'enforce') {
  const file = join(await tempDir('policy'), 'installation.cedar');
  await writeFile(file, policy);
  const providers = {
    scripted: { api: 'openai-completions', baseUrl: `${model.url}/s/files/v1`, apiKey: 'sk-test-1234' },
  } as const;
  const host = { ...DEFAULT_SETTINGS.host, runtimes: RUNTIMES };
  return fixture.host({ providers, host, policy: { files: [file], mode } });
}

async function run(runtimeId: string, scenario: string) {
  const { effectId, requestId } = await fixture.request({
    runtimeId,
    instruction: 'Write the files.',
    request: {
      provider_id: 'scripted',
      model_id: 'scripted-model',
      tools: { write: true, todoread: true },
      model_client: {
        model_proxy_provider: 'openai_compatible',
        api_key: '{setting:providers.scripted.apiKey}',
        base_url: `${model.url}/s/${scenario}/v1`,
        default_headers: null,
      },
    },
  });
  const final = await fixture.finalEvent(effectId);
  const results = fixture.eventsOf('agent.tool.result', effectId).map(({ event }) => event);
  const files = final.type === 'runtime.stage.completed' ? Object.keys(await fixture.files(final.tree ?? '')) : [];
  return { final, results, files, effectId, denied: fixture.factsOf('runtime.tool.denied', requestId) };
}

describe.each(RUNTIMES)('%s', (runtimeId) => {
  test('executes what the policy permits, and publishes every call that it denies', async () => {
    const host = await hostWith(POLICY);
    const { final, results, files, denied } = await run(runtimeId, 'files');
    expect(final).toMatchObject({ type: 'runtime.stage.completed', output: 'Done.' });
    expect(files).toEqual(['allowed.txt']);
    expect(denied).toMatchObject([
      { toolId: 'write', policyId: 'no-secrets', reason: "the policy 'no-secrets' forbids this call" },
      { toolId: 'todoread', policyId: 'no_permit' },
    ]);
    expect(results.map(({ callId }) => callId).slice(1)).toEqual(denied.map(({ callId }) => callId));
    expect(results[1]?.error).toContain("the policy 'no-secrets' forbids this call (tool_denied)");
    await host.stop(0);
  });

  test('does not execute a call that needs an approval', async () => {
    const host = await hostWith(POLICY);
    const { files, results } = await run(runtimeId, 'asked');
    expect(files).toEqual([]);
    expect(results[0]?.error).toContain("'write' requires approval by release, and none was given");
    await host.stop(0);
  });

  test('ends a stage whose model only collects refusals', async () => {
    const host = await hostWith(POLICY);
    const { final, denied } = await run(runtimeId, 'stubborn');
    expect(final).toMatchObject({
      type: 'runtime.stage.failed',
      retryable: false,
      error: { code: 'tool_denied_repeatedly', message: expect.stringContaining('no-secrets') },
    });
    expect(denied.length).toBeGreaterThanOrEqual(20);
    await host.stop(0);
  });

  test('in shadow mode, executes everything and records what it would have denied', async () => {
    const host = await hostWith(POLICY, 'shadow');
    const { files, denied, effectId } = await run(runtimeId, 'files');
    expect(files).toEqual(['allowed.txt', 'secret.txt']);
    expect(denied).toEqual([]);
    const shadow = fixture
      .eventsOf('runtime.adapter.event', effectId)
      .map(({ event }) => event as unknown as JsonObject);
    expect(shadow.filter(({ nativeType }) => nativeType === 'policy_shadow')).toMatchObject([
      { toolId: 'write', detail: { policyId: 'no-secrets', effect: 'deny' } },
      { toolId: 'todoread', detail: { policyId: 'no_permit', effect: 'deny' } },
    ]);
    await host.stop(0);
  });
});

test('a host with a policy that cannot be read does not start', async () => {
  await expect(hostWith('permit(principal, action, resource')).rejects.toMatchObject({
    problems: [{ code: 'policy_invalid', path: expect.stringMatching(/installation\.cedar:1:35$/) }],
  });
  const policy = { files: ['/nowhere/p.cedar'], mode: 'enforce' as const };
  await expect(fixture.host({ policy })).rejects.toMatchObject({
    problems: [{ code: 'settings_invalid', path: 'policy.files[0]' }],
  });
});
