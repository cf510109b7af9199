import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { mcpServerPayloads, resolveFromEnvironment } from '../mcp/payloads.ts';
import type { CompiledWorkspaceRuntimePlan } from '../plan.ts';
import { problemsOf } from '../testing/expect-problem.ts';
import { HARNESS, INSTALLATION, inputOf, planOf } from '../testing/inputs.ts';
import type { PrepareStageInput } from './input.ts';
import { type PreparedStage, prepareStage } from './prepare-stage.ts';

const ECHO = { tool_id: 'workspace.echo', tool_name: 'echo', module_path: 'tools.echo', symbol_name: 'echo' };

function toolPlan(): CompiledWorkspaceRuntimePlan {
  return planOf({
    resolved_mcp_servers: [
      {
        server_id: 'gh',
        type: 'remote',
        command: [],
        url: 'https://user:pw@gh.example/mcp?key=abc',
        headers: [
          ['Authorization', 'Bearer {env:FOO}'],
          ['X-Literal', 'ctx7sk-live-abc123'],
        ],
        environment: [],
        timeout_ms: 10_000,
      },
      { server_id: 'workspace', type: 'local', command: [], url: null, headers: [], environment: [], timeout_ms: 4000 },
    ],
    resolved_mcp_tool_refs: [{ tool_id: 'workspace.echo', server_id: 'workspace', tool_name: 'echo' }],
    workspace_mcp_catalog: [ECHO],
  });
}

const prepare = (overrides: Partial<PrepareStageInput> = {}) => prepareStage(inputOf(overrides));

describe('the host request of a stage', () => {
  it('starts with the lines that name stage and iteration, followed by the unmodified message', () => {
    const { hostRequest } = prepare({ stage: 'execute', iteration: 2, instruction: '  Write the file. ' });
    expect(hostRequest.instruction).toBe('Reins stage: execute\nReins iteration: 2\n\nWrite the file.');
  });

  it('adds a heading to the message in stages that must not execute it', () => {
    const { hostRequest } = prepare({ stage: 'evaluate', instruction: 'Write the file.' });
    expect(hostRequest.instruction).toBe(
      'Reins stage: evaluate\nReins iteration: 1\n\nThe request of the user, which the work is to be judged by:\n\nWrite the file.',
    );
  });

  it('has what a runtime needs, but nothing that only a host knows', () => {
    const { hostRequest } = prepare({
      inputTree: 't'.repeat(64),
      thinkingValue: ' High ',
      selectedModel: 'openai/gpt-5.4',
    });
    expect(hostRequest).toMatchObject({
      workspace_id: 'ws-1',
      workspace_dir: '{host:workspace_dir}',
      session_id: 'session-1',
      input_id: 'request-1',
      stage: 'execute',
      iteration: 1,
      runtime_id: 'pi',
      input_tree: 't'.repeat(64),
      thinking_value: ' High ',
      provider_id: 'openai',
      model_id: 'gpt-5.4',
      model_client: { api_key: '{env:OPENAI_API_KEY}', base_url: 'https://api.openai.example/v1' },
      timeout_seconds: 1800,
      mcp_servers: [],
      mcp_tool_refs: [],
      workspace_tools: null,
      output_format: null,
    });
  });

  test('contains servers and references, with physical server ids and logical tool ids', () => {
    const { hostRequest } = prepare({ plan: toolPlan() });
    const [gh, workspace] = hostRequest.mcp_servers;
    expect(gh).toMatchObject({ name: 'gh', config: { headers: { Authorization: 'Bearer {env:FOO}' } } });
    expect(workspace?.name).toMatch(/^workspace__[0-9a-f]{16}$/);
    expect(hostRequest.mcp_tool_refs).toEqual([
      { tool_id: 'workspace.echo', server_id: workspace?.name, tool_name: 'echo' },
    ]);
    expect(hostRequest.workspace_tools).toMatchObject({ physical_server_id: workspace?.name, timeout_ms: 4000 });
    expect(hostRequest.run_started_payload.mcp_server_mappings).toEqual([
      { logical_id: 'workspace', physical_id: workspace?.name },
    ]);
  });

  test('lists the connected servers without references', () => {
    const { hostRequest, runtimeConfig } = prepare({ plan: { ...toolPlan(), resolved_mcp_tool_refs: [] } });
    expect(hostRequest.mcp_tool_refs).toEqual([]);
    expect(hostRequest.run_started_payload.mcp_server_ids).toHaveLength(2);
    expect(runtimeConfig.capability_manifest.discovered_mcp_servers).toEqual(['gh', 'workspace']);
  });

  test('appends the server of a started application, without an unset refresh flag', () => {
    const app = {
      name: 'poster',
      config: { type: 'remote' as const, enabled: true, url: 'http://localhost:1/mcp', headers: {}, timeout: 1 },
    };
    const { hostRequest, runtimeConfig } = prepare({ plan: toolPlan(), surfaces: { appServers: [app] } });
    expect(hostRequest.mcp_servers.at(-1)).toEqual(app);
    expect(runtimeConfig.capability_manifest.context.mcp_server_ids).toContain('poster');
  });

  test('lists an application that the host will start as a connected server', () => {
    const application = {
      app_id: 'poster',
      mcp: { transport: 'http-sse', port: 3099, path: '/mcp' },
      health_check: { target: 'mcp' as const, path: '/health', timeout_s: 60, interval_s: 5 },
      env_contract: [],
      start_command: '',
      base_dir: 'apps/poster',
      lifecycle: { setup: '', start: 'node app.mjs', stop: '' },
    };
    const { hostRequest } = prepare({ plan: planOf({ resolved_applications: [application] }) });
    expect(hostRequest.run_started_payload.mcp_server_ids).toEqual(['poster']);
    expect(hostRequest.system_prompt).toContain('found when the run starts: poster.');
    expect(hostRequest.system_prompt).not.toContain('No MCP server is connected');
    expect(hostRequest.mcp_servers).toEqual([]);
    const without = prepare({
      plan: planOf({ resolved_applications: [application] }),
      harness: { ...HARNESS, mcpTools: false },
    });
    expect(without.hostRequest.system_prompt).toContain('No MCP server is connected');
  });

  test('announces structured output only if the harness supports it and a format exists', () => {
    const announced = (overrides: Partial<PrepareStageInput>): boolean =>
      prepare(overrides).hostRequest.run_started_payload.structured_output_enabled;
    expect(announced({ stage: 'evaluate' })).toBe(true);
    expect(announced({ stage: 'evaluate', harness: { ...HARNESS, structuredOutput: false } })).toBe(false);
    expect(announced({ stage: 'execute' })).toBe(false);
  });

  test('offers browser tools to workspace sessions, in the space of the active surface', () => {
    const surfaces = { browser: { toolIds: ['browser_click'], space: 'user' as const } };
    expect(prepare({ surfaces }).hostRequest).toMatchObject({ browser_tools_enabled: true, browser_space: 'user' });
    const request = { ...inputOf().request, sessionKind: 'onboarding' };
    expect(prepare({ surfaces, request }).hostRequest).toMatchObject({
      browser_tools_enabled: false,
      browser_space: null,
    });
  });

  it('determines the browser space from the operator surface', () => {
    const surface = (active_surface_id: string | null, owner: 'user' | 'agent') => ({
      surfaces: { browser: { toolIds: ['browser_click'] } },
      contexts: {
        operator_surface: {
          status: 'loaded' as const,
          value: {
            active_surface_id,
            surfaces: [
              {
                surface_id: 'b',
                surface_type: 'browser' as const,
                owner,
                active: true,
                mutability: 'takeover_allowed' as const,
                summary: 'A page',
              },
            ],
          },
        },
      },
    });
    expect(prepare(surface('browser:user', 'agent')).hostRequest.browser_space).toBe('user');
    expect(prepare(surface(null, 'agent')).hostRequest.browser_space).toBe('agent');
    expect(prepare({ surfaces: { browser: { toolIds: ['browser_click'] } } }).hostRequest.browser_space).toBeNull();
  });

  it('replaces the line of a command by its text, for every harness, unless it names a skill', () => {
    const command = { id: 'ok', location: 'commands/ok.md', text: 'Say that it is fine.\n' };
    const given = { instruction: '/OK twice\nbody', surfaces: { commandIds: ['ok'], invokedCommands: [command] } };
    const words = ({ hostRequest }: PreparedStage): string => hostRequest.instruction.split('\n').slice(3).join('\n');
    const text = [
      '<command name="ok" location="commands/ok.md">',
      'The user adds: twice',
      '',
      'Say that it is fine.',
      '</command>',
      '',
      'body',
    ].join('\n');
    for (const harness of [HARNESS, { ...HARNESS, commands: false }])
      expect(words(prepare({ ...given, harness }))).toBe(text);
    const skill = { id: 'ok', name: 'ok', description: 'x', location: 'skills/ok/SKILL.md', body: 'Do.' };
    const skills = [{ ...skill, origin: 'workspace' as const, grants: { tools: [], commands: [] } }];
    const { hostRequest } = prepare({ ...given, instruction: '/OK\nbody', surfaces: { ...given.surfaces, skills } });
    expect(hostRequest.quoted_skill_ids).toEqual(['ok']);
    expect(hostRequest.instruction).not.toContain('/OK');
  });

  test('omits commands for a harness without command support', () => {
    const surfaces = { commandIds: ['release'] };
    expect(prepare({ surfaces }).hostRequest.run_started_payload.workspace_command_ids).toEqual(['release']);
    const without = prepare({ surfaces, harness: { ...HARNESS, commands: false } });
    expect(without.hostRequest.run_started_payload.workspace_command_ids).toEqual([]);
    expect(without.hostRequest.system_prompt).not.toContain('release');
  });

  it('announces the scratchpad if the executor can write files', () => {
    const path = '.reins/scratchpad.md';
    const announced = (overrides: Partial<PrepareStageInput>) =>
      prepare(overrides).hostRequest.system_prompt.includes(path);
    expect(announced({})).toBe(true);
    expect(announced({ harness: { ...HARNESS, builtinTools: ['read', 'bash'] } })).toBe(true);
    expect(announced({ harness: { ...HARNESS, builtinTools: ['read', 'question', 'todowrite'] } })).toBe(false);
    expect(announced({ request: { ...inputOf().request, sessionKind: 'onboarding' } })).toBe(false);
  });

  it('requires a verdict from an evaluation', () => {
    const { hostRequest } = prepare({ stage: 'evaluate' });
    expect(hostRequest.output_format?.schema).toMatchObject({ properties: { outcome: { enum: ['pass', 'fail'] } } });
    expect(hostRequest.system_prompt).toContain('"outcome": "pass" or "fail"');
  });

  it('uses the output schema of the agent for an execution, and continues with a warning when it is missing', () => {
    const plan = planOf({ schema_aliases: { report: 'schemas/report.json' } });
    const agent = { ...(plan.general_config as { agent: object }).agent, schema_id: 'report' };
    const asking = { ...plan, general_config: { type: 'single', agent } } as CompiledWorkspaceRuntimePlan;
    const schema = { type: 'object', required: ['title'] };
    const found = prepare({ plan: asking, surfaces: { schemas: { 'schemas/report.json': schema } } });
    expect(found.hostRequest).toMatchObject({
      output_schema_member_id: 'workspace.general',
      output_format: { type: 'json_schema', schema, retryCount: 2 },
    });
    expect(found.hostRequest.system_prompt).toContain('"required":["title"]');
    const missing = prepare({ plan: asking });
    expect(missing.hostRequest.output_format).toBeNull();
    expect(missing.warnings.map((warning) => warning.code)).toEqual(['output_schema_missing']);
    const outputSchema = { type: 'object', required: ['summary'] };
    const { hostRequest: requested } = prepare({
      plan: asking,
      outputSchema,
      surfaces: { schemas: { 'schemas/report.json': schema } },
    });
    expect(requested.output_format?.schema).toEqual(outputSchema);
  });

  it('contains the gated tools and the artifacts of the workspace', () => {
    const extensions = { gated_tools: ['github.*'], output: { artifacts: ['reports/*.md'] } };
    const { hostRequest } = prepare({ plan: planOf({ extensions }) });
    expect(hostRequest).toMatchObject({ gated_tools: ['github.*'], artifact_globs: ['reports/*.md'] });
    expect(hostRequest.system_prompt).toContain('These tools are gated: github.*');
  });

  it('has no client for a harness with its own model', () => {
    const providers = { providers: [] };
    const installation = { ...INSTALLATION, providers };
    const { hostRequest } = prepare({ installation, harness: { ...HARNESS, modelClient: 'none' } });
    expect(hostRequest).toMatchObject({ model_client: null, provider_id: null, model_id: 'gpt-4o' });
    const optional = prepare({ installation, harness: { ...HARNESS, modelClient: 'optional' } });
    expect(optional.hostRequest).toMatchObject({ model_client: null, provider_id: 'openai', model_id: 'gpt-4o' });
  });

  it('rejects missing required input', () => {
    expect(problemsOf(() => prepare({ instruction: ' ' }))[0]?.message).toBe('instruction is required');
    const installation = { ...INSTALLATION, environmentNames: new Set<string>() };
    expect(problemsOf(() => prepare({ plan: toolPlan(), installation }))[0]).toMatchObject({
      code: 'mcp_environment_missing',
      path: 'mcp_registry.servers.gh.headers.Authorization',
    });
  });

  it('reports all problems in one error', () => {
    const problems = problemsOf(() =>
      prepare({
        plan: toolPlan(),
        installation: { ...INSTALLATION, environmentNames: new Set(), providers: { providers: [] } },
        attachments: [{ id: 'a', name: 'a', mime_type: 'text/plain', size_bytes: 1, workspace_path: '/etc/passwd' }],
      }),
    );
    expect(problems.map((problem) => problem.code)).toEqual([
      'mcp_environment_missing',
      'model_provider_unconfigured',
      'attachment_invalid',
    ]);
  });

  it('warns about an unknown thinking value, without repeating it', () => {
    const { warnings } = prepare({ thinkingValue: 'sk-pasted' });
    expect(warnings[0]?.code).toBe('thinking_value_unknown');
    expect(JSON.stringify(warnings)).not.toContain('sk-pasted');
  });

  it('accepts an empty message with attachments', () => {
    const attachments = [{ id: 'a', name: 'a.txt', mime_type: 'text/plain', size_bytes: 1, workspace_path: 'a.txt' }];
    expect(prepare({ instruction: '', attachments }).hostRequest.instruction).toContain('Review what is attached.');
  });
});

describe('fingerprint', () => {
  const fingerprint = (overrides: Partial<PrepareStageInput> = {}): string =>
    prepare({ plan: toolPlan(), ...overrides }).fingerprint;

  test('identical runs have identical fingerprints, independent of ids, trees and machines', () => {
    const elsewhere = fingerprint({
      request: { workspaceId: 'ws-2', sessionId: 'session-2', requestId: 'request-2' },
      installation: { ...INSTALLATION, sandboxId: 'another-machine' },
      inputTree: 'a'.repeat(64),
      harnessSessionId: 'pi-session-7',
    });
    expect(elsewhere).toBe(fingerprint());
  });

  test('property: does not depend on ids', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
    fc.assert(
      fc.property(id, id, id, (workspaceId, sessionId, requestId) => {
        expect(fingerprint({ request: { workspaceId, sessionId, requestId } })).toBe(fingerprint());
      }),
    );
  });

  const changes: readonly (readonly [string, Partial<PrepareStageInput>])[] = [
    ['stage', { stage: 'reflect' }],
    ['iteration', { iteration: 2 }],
    ['runtime', { runtimeId: 'codex' }],
    ['words', { instruction: 'List the folders' }],
    ['model', { selectedModel: 'openai/gpt-5.4' }],
    ['thinking', { thinkingValue: 'high' }],
    ['history', { history: { brief: 'x' } }],
    ['plan', { plan: planOf() }],
    ['timeout', { installation: { ...INSTALLATION, timeoutSeconds: 60 } }],
  ];
  test.each(changes)('a different %s gives a different fingerprint', (_name, change) => {
    expect(fingerprint(change)).not.toBe(fingerprint());
  });

  it('is part of the start event and of the snapshot', () => {
    const { hostRequest, snapshot, fingerprint: own } = prepare();
    expect(hostRequest.run_started_payload.request_snapshot_fingerprint).toBe(own);
    expect(snapshot.fingerprint).toBe(own);
  });
});

describe('snapshot', () => {
  it('equals the request, except for secrets', () => {
    const { hostRequest, snapshot } = prepare();
    expect(snapshot.harness_request).toEqual(hostRequest);
  });

  it('contains no secret under any name', () => {
    const secret = 'zx9-canary-value';
    const { snapshot, hostRequest } = prepare({
      plan: toolPlan(),
      instruction: `Use ${secret} and https://bob:hunter22@x.example`,
      history: { brief: `The key is ${secret}.` },
      secrets: [secret],
    });
    const stored = JSON.stringify(snapshot);
    for (const value of [secret, 'ctx7sk-live-abc123', 'hunter22', 'user:pw', 'key=abc'])
      expect(stored).not.toContain(value);
    expect(stored).toContain('Bearer {env:FOO}');
    expect(hostRequest.instruction).toContain(secret);
  });

  it('redacts a literal secret of the configuration everywhere, and does not change the request', () => {
    const headers = [['X-Api-Key', 'literal-key-1']] as const;
    const servers = toolPlan().resolved_mcp_servers.map((server) => ({ ...server, headers }));
    const given = { plan: planOf({ resolved_mcp_servers: servers }), instruction: 'Use literal-key-1, not other-1.' };
    const [one, other] = [prepare(given), prepare({ ...given, secrets: ['other-1'] })];
    expect(one.snapshot.raw_instruction).toBe('Use [redacted], not other-1.');
    expect(other.snapshot.raw_instruction).toBe('Use [redacted], not [redacted].');
    expect(other.hostRequest).toEqual(one.hostRequest);
    expect(other.fingerprint).toBe(one.fingerprint);
  });

  it('contains no value that the host resolves', () => {
    const plan = toolPlan();
    const resolved = mcpServerPayloads(plan, null, resolveFromEnvironment({ FOO: 'resolved-secret' }));
    expect(JSON.stringify(resolved)).toContain('Bearer resolved-secret');
    expect(JSON.stringify(prepare({ plan }))).not.toContain('resolved-secret');
  });

  it('contains the text of the prompt once', () => {
    const { snapshot } = prepare();
    expect(JSON.stringify(snapshot).split('You keep the notes of this team.')).toHaveLength(2);
  });
});

describe('any input', () => {
  test('property: is prepared deterministically, and no known secret is stored', () => {
    const secret = 'canary-5f2c91';
    const words = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `/x\n${text}`),
    );
    fc.assert(
      fc.property(words, fc.option(fc.string()), fc.option(fc.string()), (text, thinkingValue, brief) => {
        const input = inputOf({
          instruction: `${text}${secret}${text}`,
          thinkingValue,
          history: { brief: `${brief}${secret}` },
          secrets: [secret],
        });
        const prepared = prepareStage(input);
        expect(prepareStage(input)).toEqual(prepared);
        expect(JSON.stringify(prepared.snapshot)).not.toContain(secret);
        expect(prepared.hostRequest.instruction).toContain(secret);
      }),
    );
  });
});

describe('memoized values', () => {
  it('never leak from one request to another', () => {
    const plan = toolPlan();
    const inputs = (['execute', 'evaluate'] as const).flatMap((stage) =>
      (['workspace_session', 'onboarding'] as const).map((sessionKind) =>
        inputOf({ plan, stage, request: { ...inputOf().request, sessionKind } }),
      ),
    );
    const warm = inputs.map((input) => prepareStage(input));
    const again = inputs.map((input) => prepareStage(input));
    const cold = inputs.map((input) => prepareStage({ ...input, plan: toolPlan() }));
    expect(again).toEqual(warm);
    expect(cold).toEqual(warm);
  });
});
