import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listRunProcesses } from '@reins/harness';
import { probe } from '@reins/os-sandbox';
import type { HostRequest } from '@reins/runtime-config';
import { startScriptedModel } from '@reins/scripted-model';
import { identityOf } from '@reins/service-kit/folders';
import { until } from '@reins/testing';
import { capture } from '@reins/workspace-tree';
import { DEFAULT_SETTINGS, HostFixture, type StageRequestOptions } from '../testing/host-fixture.ts';

const WORKSPACE = fileURLToPath(new URL('../../testdata/workspace', import.meta.url));
const NOTES_KEY = 'canary-notes-11235813';
const API_TOKEN = 'canary-token-31415926';
const NODE = process.execPath;

const model = await startScriptedModel({
  scenarios: {
    quit: [{ tool: { name: 'mcp__workspace_1__quit', args: {} } }, { text: 'Done.' }],
    form: [{ text: '{"ok":true}' }],
    tools: [
      { tool: { name: 'mcp__notes__read', args: {} } },
      { tool: { name: 'mcp__workspace_1__greet', args: { name: 'Ada' } } },
      { tool: { name: 'mcp__counter__count', args: {} } },
      { tool: { name: 'mcp__notes__wipe', args: {} } },
      { text: 'Done.' },
    ],
  },
});
let fixture: HostFixture;
let tree: string;
beforeAll(async () => {
  fixture = await HostFixture.start();
  tree = (await fixture.trees.put(await capture(WORKSPACE))).treeId;
  const providers = {
    scripted: { api: 'openai-completions', baseUrl: `${model.url}/s/tools/v1`, apiKey: 'sk-test-1234' },
  } as const;
  // Servers and applications work in the same way with a restricted network. Applications need bubblewrap for it.
  const { backend } = await probe();
  const host = {
    ...{ ...DEFAULT_SETTINGS.host, runtimes: ['openai_chat', 'pi'], secrets: ['NOTES_KEY', 'API_TOKEN'] },
    servicesNetwork: backend === 'bubblewrap' ? ('doors' as const) : ('open' as const),
  };
  await fixture.host({ providers, host }, { NOTES_KEY, API_TOKEN });
});
afterAll(async () => {
  await fixture.stop();
  await model.close();
  const owner = await identityOf(process.pid);
  expect((await listRunProcesses()).filter(({ token }) => token.startsWith(owner))).toEqual([]);
});

const app = (
  id: string,
  more: Partial<HostRequest['applications'][number]> = {},
): HostRequest['applications'][number] => ({
  app_id: id,
  mcp: { transport: 'http-sse', port: 3099, path: '/mcp' },
  health_check: { target: 'mcp', path: '/mcp/health', timeout_s: 60, interval_s: 1 },
  env_contract: ['API_TOKEN', 'HOLABOSS_USER_ID'],
  start_command: '',
  base_dir: `apps/${id}`,
  lifecycle: { setup: 'echo prepared > prepared.txt', start: `exec ${NODE} app.mjs`, stop: '' },
  ...more,
});

const notes = (command: readonly string[] = [NODE, 'servers/notes.mjs']) => ({
  name: 'notes',
  config: {
    type: 'local',
    enabled: true,
    command,
    environment: { NOTES_KEY: '{env:NOTES_KEY}' },
    timeout: 60_000,
  } as const,
});

const ref = (server: string, tool: string) => ({ tool_id: `${server}.${tool}`, server_id: server, tool_name: tool });

const workspaceTools = (catalog: readonly unknown[]): Partial<HostRequest> => ({
  workspace_tools: {
    physical_server_id: 'workspace__1',
    fingerprint: 'f',
    timeout_ms: 60_000,
    catalog_json_base64: Buffer.from(JSON.stringify(catalog)).toString('base64'),
  },
  run_started_payload: {
    mcp_server_mappings: [{ logical_id: 'workspace', physical_id: 'workspace__1' }],
  } as unknown as HostRequest['run_started_payload'],
});

const catalog = [
  { tool_id: 'workspace.greet', tool_name: 'greet', module_path: 'tools.greet', symbol_name: 'greet' },
  { tool_id: 'workspace.gone', tool_name: 'gone', module_path: 'tools.gone', symbol_name: 'gone' },
];

const stageRequest = (runtimeId: string, request: Partial<HostRequest>, scenario = 'tools'): StageRequestOptions => ({
  runtimeId,
  instruction: 'Use the tools.',
  tree,
  request: {
    provider_id: 'scripted',
    model_id: 'scripted-model',
    model_client: {
      model_proxy_provider: 'openai_compatible',
      api_key: '{setting:providers.scripted.apiKey}',
      base_url: `${model.url}/s/${scenario}/v1`,
      default_headers: null,
    },
    ...request,
  },
});

describe.each(['openai_chat', 'pi'])('%s', (runtimeId) => {
  test('calls tools of servers, the workspace and applications, and reports broken services', async () => {
    const { effectId, requestId } = await fixture.request(
      stageRequest(runtimeId, {
        mcp_servers: [notes()],
        mcp_tool_refs: [
          ref('notes', 'read'),
          ref('notes', 'wipe'),
          { tool_id: 'workspace.greet', server_id: 'workspace__1', tool_name: 'greet' },
          { tool_id: 'workspace.gone', server_id: 'workspace__1', tool_name: 'gone' },
        ],
        ...workspaceTools(catalog),
        applications: [app('counter'), app('broken')],
        gated_tools: ['notes.wipe'],
      }),
    );
    const completed = await fixture.finalEvent(effectId);
    expect(completed).toMatchObject({ type: 'runtime.stage.completed', output: 'Done.' });
    if (completed.type !== 'runtime.stage.completed') return;

    const [started] = fixture.eventsOf('runtime.stage.started', effectId);
    expect(started).toMatchObject({
      mcpServerMappings: [{ logicalId: 'workspace', physicalId: 'workspace__1' }],
      timings: { services: expect.any(Number) },
    });
    const degraded = Object.fromEntries((started?.degradedServers ?? []).map((server) => [server.serverId, server]));
    expect(Object.keys(degraded).sort()).toEqual(['broken', 'workspace']);
    expect(degraded.broken?.reason).toMatch(/exited \(code 7\).*no licence.*HOLABOSS_USER_ID/s);
    expect(degraded.workspace).toEqual({
      serverId: 'workspace',
      reason: 'workspace.gone: there is no tools/gone.{mjs,js,cjs,ts,mts} and no tools/gone/index.*',
      missingToolIds: ['workspace.gone'],
      required: false,
    });

    const [handoff] = fixture.eventsOf('agent.handoff', effectId);
    expect(handoff?.event.tools).toEqual(
      expect.arrayContaining(['notes.read', 'notes.wipe', 'workspace.greet', 'counter.count']),
    );
    expect(handoff?.event.tools).not.toContain('notes.hidden');
    expect(handoff?.event.detail).toEqual({ annotations: { 'notes.read': { readOnlyHint: true } } });
    const results = fixture.eventsOf('agent.tool.result', effectId).map(({ event }) => event);
    expect(results.map(({ toolId }) => toolId)).toEqual([
      'notes.read',
      'workspace.greet',
      'counter.count',
      'notes.wipe',
    ]);
    expect(results.map(({ output }) => output)).toEqual([
      expect.stringContaining('a note of the workspace (as '),
      'Hello, Ada',
      expect.stringContaining('prepared 1 with '),
      null,
    ]);
    const printed = fixture.eventsOf('agent.tool.output', effectId).map(({ event }) => event);
    expect(printed).toMatchObject([{ toolId: 'workspace.greet', text: 'this must not come between the messages\n' }]);
    expect(results.at(-1)?.error).toContain('approval');
    expect(fixture.factsOf('runtime.tool.denied', requestId)).toMatchObject([
      { toolId: 'notes.wipe', policyId: 'gated_tools', callId: expect.any(String) },
    ]);

    // An application runs in a copy of the tree, so its files are not part of the result.
    expect(completed.tree).toBe(tree);
    const events = JSON.stringify([completed, started, fixture.allEvents(effectId)]);
    expect(events).not.toContain(NOTES_KEY);
    expect(events).not.toContain(API_TOKEN);
  });
});

/** The names of the tools that the last call offered to the model. */
function offeredTools(): string[] {
  const body = JSON.stringify(model.requests().at(-1)?.body ?? {});
  const { tools = [] } = JSON.parse(body) as { readonly tools?: readonly { readonly function: { name: string } }[] };
  return tools.map(({ function: { name } }) => name).sort();
}

describe.each(['openai_chat', 'pi'])('%s offers its model only the tools of the run', (runtimeId) => {
  test('of itself, of Reins, of servers, and of applications by their ids', async () => {
    const { effectId } = await fixture.request(
      stageRequest(
        runtimeId,
        {
          tools: { read: true, todoread: true },
          mcp_servers: [notes()],
          mcp_tool_refs: [ref('notes', 'read'), ref('counter', 'count')],
          applications: [app('counter')],
        },
        'form',
      ),
    );
    expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed' });
    expect(offeredTools()).toEqual(['mcp__counter__count', 'mcp__notes__read', 'read', 'todoread']);
  });

  test('and none if the agent has none', async () => {
    const { effectId } = await fixture.request(stageRequest(runtimeId, { tools: {} }, 'form'));
    expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed' });
    expect(offeredTools()).toEqual([]);
  });

  test('an application whose tools are not listed offers none, if others of it are', async () => {
    const { effectId } = await fixture.request(
      stageRequest(
        runtimeId,
        { tools: { read: true }, mcp_tool_refs: [ref('counter', 'other')], applications: [app('counter')] },
        'form',
      ),
    );
    expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed' });
    expect(offeredTools()).toEqual(['read']);
  });
});

/** The number of running fixture servers, recognised by their command line. */
const servicesRunning = async (): Promise<number> => {
  const ours = await identityOf(process.pid);
  const running = (await listRunProcesses()).filter(({ token }) => token.startsWith(ours));
  const commands = await Promise.all(
    running.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return commands.filter((command) => command.includes('setInterval')).length;
};

describe('an output schema from a module', () => {
  test('is used to validate the answer', async () => {
    const form = { output_schema_module: 'schemas/ok.ts' };
    const { effectId } = await fixture.request(stageRequest('openai_chat', form, 'form'));
    expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed', output: { ok: true } });
    expect(JSON.stringify(model.requests().at(-1)?.body)).toContain('"json_schema":{"name":"answer"');
  });

  test.each([
    ['schemas/none.mjs', 'Error: neither its default export nor its export `schema` is a JSON Schema'],
    ['schemas/absent.ts', "Error: the workspace has no file 'schemas/absent.ts'"],
    [
      'schemas/lacks.mjs',
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'schemas/shared.mjs' imported from schemas/lacks.mjs",
    ],
    ['../../../etc/hostname', 'Error: it is outside the workspace'],
  ])('fails the stage with a reason when the module is %s', async (output_schema_module, why) => {
    const { effectId } = await fixture.request(stageRequest('openai_chat', { output_schema_module }));
    expect(await fixture.finalEvent(effectId)).toMatchObject({
      type: 'runtime.stage.failed',
      retryable: false,
      error: {
        code: 'output_schema_missing',
        message: `the module '${output_schema_module}' provides no schema: ${why}`,
      },
    });
  });
});

describe('a stage', () => {
  test('reports a server that exited with its error and without host paths', async () => {
    const { effectId } = await fixture.request(
      stageRequest('openai_chat', { mcp_servers: [notes([NODE, 'servers/absent.mjs'])], mcp_tool_refs: [] }, 'form'),
    );
    expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed' });
    const [started] = fixture.eventsOf('runtime.stage.started', effectId);
    expect(started?.degradedServers).toMatchObject([
      {
        serverId: 'notes',
        reason: "MCP server 'notes': exited (code 1): Error: Cannot find module 'servers/absent.mjs'",
      },
    ]);
  });

  test('reports workspace tools that do not load at the start, and a lost sidecar at the end', async () => {
    const quit = { tool_id: 'workspace.quit', tool_name: 'quit', module_path: 'tools.quit', symbol_name: 'quit' };
    const { effectId } = await fixture.request(stageRequest('openai_chat', workspaceTools([...catalog, quit]), 'quit'));
    const completed = await fixture.finalEvent(effectId);
    const [started] = fixture.eventsOf('runtime.stage.started', effectId);
    expect(started?.degradedServers).toMatchObject([
      {
        serverId: 'workspace',
        missingToolIds: ['workspace.gone'],
        reason: expect.stringContaining('workspace.gone: '),
      },
    ]);
    expect(completed).toMatchObject({
      type: 'runtime.stage.completed',
      degradedServers: [{ serverId: 'workspace', reason: 'exited (code 3): Error: out of ink' }],
    });
  });

  test('fails when a required server is unavailable', async () => {
    const { effectId } = await fixture.request(
      stageRequest('openai_chat', { mcp_servers: [notes(['/nowhere/notes'])], required_servers: ['notes'] }),
    );
    expect(await fixture.finalEvent(effectId)).toMatchObject({
      type: 'runtime.stage.failed',
      retryable: true,
      error: { code: 'mcp_server_unavailable', message: expect.stringContaining("'notes'") },
    });
    const [started] = fixture.eventsOf('runtime.stage.started', effectId);
    expect(started?.degradedServers).toMatchObject([{ serverId: 'notes', required: true }]);
  });

  test('is cancelled while its servers start', async () => {
    const event = await fixture.request(
      stageRequest('openai_chat', { mcp_servers: [notes([NODE, '-e', 'setInterval(() => {}, 1000)'])] }),
    );
    await until(async () => (await servicesRunning()) > 0);
    await fixture.controls.send(event.effectId, { id: 'cancel', kind: 'cancel' });
    expect(await fixture.finalEvent(event.effectId)).toMatchObject({ type: 'runtime.stage.cancelled' });
  });
});
