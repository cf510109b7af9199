import { describe, expect, test } from '@jest/globals';
import type { UnpricedModels } from '../compile/unpriced-models.ts';
import { type CompileResult, collectReferences, compileWorkspace, declaredProcess, extensionsOf } from '../index.ts';

const BASE = 'agents: {id: a, model: m}\nmcp_registry: {servers: {}}\n';

function compile(extra: string, references: Record<string, string> = {}): CompileResult {
  return compileWorkspace({ workspaceId: 'ws', workspaceYaml: BASE + extra, references });
}

function planOf(result: CompileResult) {
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 2));
  return result.plan;
}

describe('Reins extensions', () => {
  test('a plan has no extensions and runs only execute when the workspace uses none', () => {
    const plan = planOf(compile(''));
    expect(Object.keys(plan)).not.toContain('extensions');
    expect(extensionsOf(plan).pipeline.stages).toEqual(['execute']);
    expect(extensionsOf(plan).gated_tools).toEqual([]);
  });

  test('includes the instructions of the stages in the pipeline', () => {
    const text = 'pipeline:\n  stages: [interview, execute, evaluate]\n  max_iterations: 5\n';
    expect(collectReferences(BASE + text)).toContain('stages/evaluate.md');
    const plan = planOf(compile(text, { 'stages/evaluate.md': 'Be strict.', 'stages/interview.md': '  ' }));
    expect(plan.extensions?.pipeline).toEqual({
      stages: ['interview', 'execute', 'evaluate'],
      max_iterations: 5,
      instructions: { evaluate: 'Be strict.' },
    });
  });

  test('reads all other extensions, with defaults', () => {
    const plan = planOf(
      compile(
        [
          'runtime_profile: {default: pi, stages: {evaluate: claude_code}}',
          'output: {schema: {type: object, properties: {a: {type: string}}}, artifacts: [out/**]}',
          'gated_tools: [bash, "github.*"]',
          'budgets: {max_tokens: 1000}',
          'runtime: {progress: {narration: {enabled: true, style: concise}}, cli: {events: {include: ["runtime.tool.*"]}}}',
        ].join('\n'),
      ),
    );
    expect(plan.extensions).toEqual({
      runtime_profile: { default: 'pi', stages: { evaluate: 'claude_code' } },
      output: { schema: { type: 'object', properties: { a: { type: 'string' } } }, artifacts: ['out/**'] },
      gated_tools: ['bash', 'github.*'],
      budgets: { max_tokens: 1000, on_exceeded: 'fail' },
      runtime: { narration: { enabled: true, provider: 'template', style: 'concise' }, cli_events: ['runtime.tool.*'] },
    });
  });

  test('refuses a limit of the cost where the price of a model is unknown', () => {
    const workspaceYaml = `${BASE}budgets: {max_cost_usd: 5}\n`;
    const withPrices = (unpriced?: UnpricedModels) =>
      compileWorkspace({ workspaceId: 'ws', workspaceYaml, references: {}, unpriced });
    expect(planOf(withPrices(() => undefined)).extensions?.budgets).toMatchObject({ max_cost_usd: 5 });
    expect(withPrices().ok).toBe(true);
    const { diagnostics } = withPrices((model) => ({ model: `${model}2`, hint: 'limit the tokens' }));
    expect(diagnostics).toMatchObject([
      {
        code: 'workspace_field_invalid',
        message: expect.stringContaining("the price of the model 'm2' is unknown"),
        hint: expect.stringMatching(/^limit the tokens/i),
      },
    ]);
    expect(diagnostics[0]?.message).toContain('the limit of 5 US dollars cannot be evaluated');
  });

  test('reads a process as a module and its export', () => {
    const text = 'process: process/main.ts#ship\n';
    expect(planOf(compile(text)).extensions).toEqual({ process: 'process/main.ts#ship' });
    expect(declaredProcess(BASE + text)).toBe('process/main.ts#ship');
    expect(
      ['', 'process: ../x.js\n', 'process: pipeline\n', 'process: {a: 1}\n', '- : ['].map((more) =>
        declaredProcess(BASE + more),
      ),
    ).toEqual(Array(5).fill(undefined));
  });

  test.each([
    ['process: ../outside.ts#run', 'process', 'process'],
    ['process: /etc/main.js', 'process', 'process'],
    ['process: process/main.ts#not-a-name', 'process', 'process'],
    ['pipeline: []', 'pipeline', 'must be a mapping'],
    ['pipeline: {stages: []}', 'pipeline.stages', 'at least 1'],
    ['pipeline: {stages: [execute, evalute]}', 'pipeline.stages[1]', 'one of'],
    ['pipeline: {stages: [evaluate, execute]}', 'pipeline.stages', 'in the order'],
    ['pipeline: {stages: [execute, execute]}', 'pipeline.stages[1]', 'duplicate'],
    ['pipeline: {max_iterations: 0}', 'pipeline.max_iterations', 'at least 1'],
    ['pipeline: {max_iterations: "3"}', 'pipeline.max_iterations', 'whole number'],
    ['runtime_profile: pi', 'runtime_profile', 'must be a mapping'],
    ['runtime_profile: {default: ""}', 'runtime_profile.default', 'lower-case letters'],
    ['output: {schema: [a]}', 'output.schema', 'a mapping'],
    ['output: {artifacts: [out/**, ../x]}', 'output.artifacts[1]', 'points outside'],
    ['output: {artifacts: [a/**/../../x]}', 'output.artifacts[0]', 'points outside'],
    ['output: {artifacts: [/etc/passwd]}', 'output.artifacts[0]', 'is absolute'],
    ['gated_tools: ["a b"]', 'gated_tools[0]', 'all tools of a server'],
    ["gated_tools: ['*']", 'gated_tools[0]', 'all tools of a server'],
    ['budgets: {max_cost_usd: .nan}', 'budgets.max_cost_usd', 'must be a number (got `.nan`)'],
    ['budgets: {max_tokens: .inf}', 'budgets.max_tokens', 'must be a whole number (got `.inf`)'],
    ['output: {schema: {type: objekt}}', 'output.schema.type', "type 'objekt'"],
    ['output: {schema: {type: [string, nul]}}', 'output.schema.type[1]', "type 'nul'"],
    [
      'output: {schema: {properties: {a: {items: {type: 5}}}}}',
      'output.schema.properties.a.items.type',
      'must be a string',
    ],
    ['budgets: {max_tokens: -1}', 'budgets.max_tokens', 'greater than 0'],
    ['runtime: {progress: {narration: {enabled: "yes"}}}', 'runtime.progress.narration.enabled', 'true or false'],
    ['budgets: {on_exceeded: explode}', 'budgets.on_exceeded', 'one of'],
  ])('rejects %s', (extra, path, message) => {
    const result = compile(extra);
    expect(result.ok || result.error).toMatchObject({ path, message: expect.stringContaining(message) });
  });

  test('warns about a gated tool that does not exist and suggests the correct name', () => {
    const workspaceYaml = [
      'agents: {id: a, model: m}',
      'mcp_registry:',
      '  servers: {github: {type: remote, url: "http://g"}}',
      '  catalog: {workspace.lookup: {module_path: tools.lookup, symbol: run}}',
      'applications: [{app_id: crm, config_path: crm.yaml}]',
      'gated_tools: [bash, github.merge, github.*, crm.x, workspace.lookup, workspace.*, gihub.merge, zzz.*, workspace.lokup, github, lookup]',
    ].join('\n');
    const references = { 'crm.yaml': 'app_id: crm\nmcp: {port: 3099}\n' };
    const result = compileWorkspace({ workspaceId: 'ws', workspaceYaml, references });
    expect(result.ok && result.diagnostics.map(({ path, code, hint }) => [path, code, hint])).toEqual([
      ['gated_tools[6]', 'workspace_mcp_server_unknown', "did you mean 'github.merge'?"],
      ['gated_tools[7]', 'workspace_mcp_server_unknown', 'correct the name, or declare the server'],
      ['gated_tools[8]', 'workspace_mcp_catalog_missing', "did you mean 'workspace.lookup'?"],
      ['gated_tools[9]', 'workspace_value_ignored', "did you mean 'github.*'?"],
      ['gated_tools[10]', 'workspace_value_ignored', "did you mean 'workspace.lookup'?"],
    ]);
  });

  test('reads required servers and applications', () => {
    const servers = 'mcp_registry: {servers: {tickets: {type: remote, url: "http://t"}}}\n';
    const agents = 'agents: {id: a, model: m}\n';
    const app = 'applications: [{app_id: crm, config_path: crm.yaml}]\n';
    const text = `${agents}${servers}${app}required_servers: [tickets, crm]\n`;
    const references = { 'crm.yaml': 'app_id: crm\nmcp: {port: 3099}\n' };
    const plan = planOf(compileWorkspace({ workspaceId: 'ws', workspaceYaml: text, references }));
    expect(plan.extensions?.required_servers).toEqual(['tickets', 'crm']);
  });

  test.each([
    [
      '{tickets: {type: remote, url: "http://t"}}',
      '[tickes]',
      'workspace_mcp_server_unknown',
      "did you mean 'tickets'?",
    ],
    ['{}', '[workspace]', 'workspace_mcp_server_unknown', 'add tools'],
    ['{g: {type: remote, url: "http://g", enabled: false}}', '[g]', 'workspace_mcp_server_unknown', 'enable it'],
  ])('with servers %s, rejects required servers %s', (servers, required, code, hint) => {
    const workspaceYaml = `agents: {id: a, model: m}\nmcp_registry: {servers: ${servers}}\nrequired_servers: ${required}\n`;
    const result = compileWorkspace({ workspaceId: 'ws', workspaceYaml, references: {} });
    const refusal = { code, path: 'required_servers[0]', hint: expect.stringContaining(hint) };
    expect(result.ok || result.error).toMatchObject(refusal);
  });

  test('does not check a required server whose declaration is invalid', () => {
    const text = 'agents: {id: a, model: m}\nmcp_registry: {servers: {g: {type: remote}}}\nrequired_servers: [g]\n';
    const result = compileWorkspace({ workspaceId: 'ws', workspaceYaml: text, references: {} });
    expect(result.diagnostics.map(({ path }) => path)).toEqual(['mcp_registry.servers.g.url']);
  });

  test('reports a path outside the workspace as such, not as a missing manifest', () => {
    const result = compile('output: {artifacts: [../x]}');
    expect(result.ok || result.error.code).toBe('workspace_path_escapes');
  });

  test('rejects a schema that contains itself, once or many times', () => {
    const result = compile('output: {schema: &s {a: *s, b: *s, c: *s}}');
    expect(result.ok || result.error.path).toBe('output.schema.a');
  });

  test.each([
    ['pipeline: {max_iterations: 0}', 'write a whole number from 1 to 100'],
    ['pipeline: {stages: [execute, execute]}', 'remove the duplicate'],
    ['runtime_profile: {default: OpenAI}', 'for example pi'],
    ['process: ../x.js', 'for example process/main.ts#process'],
    ["gated_tools: ['*']", 'for example bash, github.create_issue, github.*'],
    ['pipeline: {stages: []}', 'add an entry, or remove the key'],
    ['budgets: {max_cost_usd: .nan}', 'write a number greater than 0'],
    ['output: {schema: {type: objekt}}', "did you mean 'object'?"],
  ])('the hint for %s matches the error', (extra, hint) => {
    const result = compile(extra);
    expect(result.ok || result.error.hint).toBe(hint);
  });

  test('accepts a property with the name of a keyword', () => {
    const schema = '{type: object, properties: {type: {type: string}, items: {enum: [a]}}, default: {type: mine}}';
    expect(planOf(compile(`output: {schema: ${schema}}`)).extensions?.output?.schema).toBeDefined();
  });

  test('suggests the correct name for a misspelt stage', () => {
    const result = compile('pipeline: {stages: [execute, evalute]}');
    expect(result.ok || result.error.hint).toBe("did you mean 'evaluate'?");
  });

  test('warns about limits that are not enforced', () => {
    const result = compile('budgets: {max_tokens: 5, max_duration_s: 60, max_tool_calls: 9, on_exceeded: pause}\n');
    expect(result.ok && result.diagnostics).toMatchObject([
      { severity: 'warning', code: 'workspace_value_ignored', path: 'budgets.max_duration_s' },
      { code: 'workspace_value_ignored', path: 'budgets.max_tool_calls', hint: expect.stringContaining('max_tokens') },
      { code: 'workspace_value_ignored', path: 'budgets.on_exceeded', message: expect.stringContaining('fails') },
    ]);
    const enforced = compile('budgets: {max_tokens: 5, on_exceeded: fail}\n');
    expect(enforced.ok && enforced.diagnostics).toEqual([]);
  });

  test('warns about instructions of a stage that never runs', () => {
    const result = compile('', { 'stages/evaluate.md': 'Be strict.' });
    expect(result.ok && result.diagnostics.map((each) => each.code)).toEqual(['workspace_value_ignored']);
  });
});
