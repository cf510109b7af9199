import { describe, expect, test } from '@jest/globals';
import { type CompileResult, collectInventoryReferences, compileWorkspace } from '../index.ts';

const FILES = {
  'config/runtime/workspace.yaml': `apiVersion: reins/v1
kind: Runtime
metadata: {name: help-desk}
spec:
  defaultAgent: lead
  routes: {triage: triage}
  pipeline: {stages: [execute, evaluate]}
  required_servers: [tickets]
`,
  'config/agents/lead.yaml': `kind: Agent
metadata: {name: lead}
spec:
  description: Answers
  backend: pi
  model: fast
  instructions: Be kind.
  tools: [search, lookup]
  subagents: [helper]
  edges:
    - {from: START, to: search}
    - {from: search, to: helper}
    - {from: helper, to: END}
`,
  'config/agents/helper.yaml': 'kind: Agent\nmetadata: {name: helper}\nspec: {model: fast}\n',
  'config/catalogs/models.yaml': `kind: Model
metadata: {name: fast}
spec: {provider: openai, model: gpt-4o, parameters: {temperature: 0.2}}
`,
  'config/catalogs/tools.yaml': `kind: McpServer
metadata: {name: tickets}
spec:
  type: remote
  url: https://tickets.example/mcp
  headers: {Authorization: "{env:TICKETS}"}
---
kind: Tool
metadata: {name: search}
spec: {type: mcp, server: tickets, approval: true}
---
kind: Tool
metadata: {name: lookup}
spec: {type: module, module: tools.lookup, symbol: lookup}
`,
  'config/workflows/triage.yaml': `kind: Workflow
metadata: {name: triage}
spec:
  nodes: [{id: a, agent: lead}, {id: b, tool: search}]
  edges: [{from: START, to: a}, {from: a, to: b, when: open}, {from: b, to: END}]
`,
  'config/memory.yaml': 'kind: MemoryStore\nmetadata: {name: m}\nspec: {scope: workspace}\n',
  'config/policies/approval.yaml': 'kind: ApprovalPolicy\nmetadata: {name: p}\nspec: {approval: {tools: [lookup]}}\n',
  'config/notes.yaml': 'a: 1\n',
};

function compile(files: Record<string, string>, references: Record<string, string> = {}): CompileResult {
  return compileWorkspace({ workspaceId: 'ws', workspaceYaml: null, references, files });
}

/** The workspace with a replacement in one file. */
function changed(file: keyof typeof FILES, from: string, to: string): Record<string, string> {
  const text = FILES[file];
  if (!text.includes(from)) throw new Error(`'${from}' is not in ${file}`);
  return { ...FILES, [file]: text.replace(from, to) };
}

describe('an inventory', () => {
  test('compiles to a plan', () => {
    const result = compile(FILES, { 'AGENTS.md': 'House rules.\n', 'stages/evaluate.md': 'Be strict.' });
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 2));
    expect(result.plan).toMatchObject({
      mode: 'team',
      general_config: {
        type: 'team',
        coordinator: { id: 'lead', model: 'openai/gpt-4o', prompt: 'House rules.\n\nBe kind.', role: 'Answers' },
        members: [{ id: 'helper', prompt: 'House rules.\n' }],
      },
      resolved_mcp_servers: [{ server_id: 'tickets', url: 'https://tickets.example/mcp' }, { server_id: 'workspace' }],
      mcp_tool_allowlist: ['tickets.search', 'workspace.lookup'],
      workspace_mcp_catalog: [{ tool_id: 'workspace.lookup', module_path: 'tools.lookup' }],
      extensions: {
        pipeline: { stages: ['execute', 'evaluate'], instructions: { evaluate: 'Be strict.' } },
        runtime_profile: { default: 'pi' },
        gated_tools: ['tickets.search', 'workspace.lookup'],
        required_servers: ['tickets'],
        inventory: {
          runtime: { default_agent: 'lead', routes: { triage: 'triage' } },
          models: [{ name: 'fast', provider: 'openai', parameters: { temperature: 0.2 } }],
          tools: [{ name: 'search', tool_id: 'tickets.search', approval: true }, { name: 'lookup' }],
          workflows: [{ name: 'triage', nodes: [{ id: 'a', kind: 'agent', name: 'lead' }, { id: 'b' }] }],
          memory: [{ name: 'm', kind: 'MemoryStore', spec: { scope: 'workspace' } }],
          policies: [{ name: 'p' }],
        },
      },
    });
    const found = result.diagnostics.map(({ severity, code, file, path }) => `${severity} ${code} ${file} ${path}`);
    expect(found.sort()).toEqual([
      'warning workspace_value_ignored config/agents/lead.yaml config/agents/lead.yaml:spec.edges',
      'warning workspace_value_ignored config/catalogs/models.yaml config/catalogs/models.yaml:spec.parameters',
      'warning workspace_value_ignored config/memory.yaml config/memory.yaml:kind',
      'warning workspace_value_ignored config/notes.yaml config/notes.yaml:kind',
      'warning workspace_value_ignored config/runtime/workspace.yaml config/runtime/workspace.yaml:spec.routes',
      'warning workspace_value_ignored config/workflows/triage.yaml config/workflows/triage.yaml:kind',
    ]);
  });

  test('returns its references', () => {
    const application = 'kind: Application\nmetadata: {name: a}\nspec: {configPath: apps/a/app.runtime.yaml}\n';
    expect(collectInventoryReferences({ ...FILES, 'config/apps.yaml': application })).toEqual([
      'AGENTS.md',
      'apps/a/app.runtime.yaml',
      'stages/interview.md',
      'stages/execute.md',
      'stages/evaluate.md',
      'stages/reflect.md',
    ]);
  });

  test('with one agent, the plan is single and no Runtime is required', () => {
    const result = compile({
      'config/a.yaml':
        'kind: Agent\nmetadata: {name: a}\nspec: {model: m}\n---\nkind: Model\nmetadata: {name: m}\nspec: {provider: p, model: x}\n',
    });
    expect(result.ok && result.plan).toMatchObject({
      mode: 'single',
      general_config: { agent: { id: 'a', model: 'p/x' } },
    });
  });

  test.each([
    ['config/agents/lead.yaml', 'model: fast', 'model: fsat', 'inventory_reference_unknown', 6, "'fast'"],
    ['config/agents/lead.yaml', 'tools: [search', 'tools: [serch', 'inventory_reference_unknown', 8, "'search'"],
    ['config/agents/lead.yaml', 'to: END', 'to: EDN', 'inventory_reference_unknown', 13, "'END'"],
    ['config/agents/lead.yaml', 'from: START', 'from: lead', 'inventory_reference_unknown', 10, ''],
    ['config/agents/lead.yaml', 'kind: Agent', 'kind: Agnet', 'inventory_kind_unknown', 1, "'Agent'"],
    ['config/agents/lead.yaml', 'name: lead', 'name: helper', 'inventory_name_duplicate', 2, ''],
    [
      'config/runtime/workspace.yaml',
      'defaultAgent: lead',
      'defaultAgent: laed',
      'inventory_reference_unknown',
      5,
      "'lead'",
    ],
    [
      'config/runtime/workspace.yaml',
      'stages: [execute',
      'stages: [exceute',
      'inventory_document_invalid',
      7,
      "'execute'",
    ],
    ['config/catalogs/models.yaml', 'provider: openai', 'provider: [x]', 'inventory_document_invalid', 3, ''],
    ['config/catalogs/tools.yaml', 'url: https:', 'url: ftp:', 'inventory_document_invalid', 5, ''],
    ['config/workflows/triage.yaml', 'tool: search', 'tool: nothing', 'inventory_reference_unknown', 4, ''],
    ['config/workflows/triage.yaml', 'id: b, tool: search', 'id: b', 'inventory_document_invalid', 4, ''],
    ['config/workflows/triage.yaml', 'id: b, tool', 'id: a, tool', 'inventory_name_duplicate', 4, ''],
    [
      'config/policies/approval.yaml',
      'tools: [lookup]',
      'tools: [lokup]',
      'inventory_reference_unknown',
      3,
      "'lookup'",
    ],
    ['config/agents/lead.yaml', 'backend: pi', 'outputSchema: ../s.json', 'workspace_path_escapes', 5, 'inside'],
    [
      'config/memory.yaml',
      'kind: MemoryStore\nmetadata: {name: m}\nspec: {scope: workspace}',
      'kind: Skill\nmetadata: {name: m}\nspec: {path: /opt/skill}',
      'workspace_path_escapes',
      3,
      'inside',
    ],
    ['config/memory.yaml', 'kind: MemoryStore', 'kind: [', 'workspace_config_invalid_yaml', 2, ''],
  ] as const)('%s: %s → %s is reported at its position', (file, from, to, code, line, hint) => {
    const result = compile(changed(file, from, to));
    const found = result.diagnostics.find((each) => each.code === code);
    expect(result.ok).toBe(false);
    expect(found).toMatchObject({ severity: 'error', file, line });
    if (hint) expect(found?.hint).toContain(hint);
  });

  test('reports a gated tool that does not exist in the Runtime document that lists it', () => {
    const file = 'config/runtime/workspace.yaml';
    const result = compile(
      changed(file, 'required_servers', 'gated_tools: [ticket.close, search]\n  required_servers'),
    );
    const reported = result.diagnostics.filter((each) => each.file === file);
    expect(reported.map(({ code, path, line, hint }) => ({ code, path, line, hint }))).toEqual([
      expect.objectContaining({ code: 'workspace_value_ignored', path: `${file}:spec.routes` }),
      {
        code: 'workspace_mcp_server_unknown',
        path: `${file}:spec.gated_tools[0]`,
        line: 8,
        hint: "did you mean 'tickets.close'?",
      },
      {
        code: 'workspace_value_ignored',
        path: `${file}:spec.gated_tools[1]`,
        line: 8,
        hint: "did you mean 'tickets.search'?",
      },
    ]);
  });

  test('checks servers by the same rules as in workspace.yaml', () => {
    const result = compile(changed('config/catalogs/tools.yaml', 'type: remote', 'type: remote\n  timeout_ms: 0'));
    expect(result.ok || result.error.path).toContain('config/catalogs/tools.yaml');
  });

  test('rejects an empty workspace', () => {
    expect(compile({})).toMatchObject({ ok: false, error: { code: 'workspace_general_missing' } });
  });
});
