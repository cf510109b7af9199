import { describe, expect, test } from '@jest/globals';
import { compileWorkspace } from '../index.ts';
import type { Observed } from './observed.ts';

const compile = (workspaceYaml: string, observed?: Observed) =>
  compileWorkspace({ workspaceId: 'ws', workspaceYaml, references: {} }, observed);
const AGENT = 'agents: {id: a, model: m}\n';
const registry = (inner: string): string => `${AGENT}mcp_registry: {servers: {}, ${inner}}\n`;
const FORECAST = '{module_path: tools.weather, symbol: forecast}';

describe('a misspelt key that should restrict something is an error that says what it would permit', () => {
  test.each([
    [registry('allowlist: {tools_ids: [workspace.x]}'), 'tools_ids', 'every tool would be allowed', 'tool_ids'],
    [registry('allowlist: {ids: [workspace.x]}'), 'ids', 'every tool would be allowed', undefined],
    [registry('allow_list: {tool_ids: [workspace.x]}'), 'allow_list', 'every tool would be allowed', 'allowlist'],
    [`${registry('catalog: {}')}gated_tool: [bash]\n`, 'gated_tool', 'no tool would be gated', 'gated_tools'],
    [
      `${registry('catalog: {}')}budgets: {max_cost_us: 1}\n`,
      'max_cost_us',
      'nothing would be limited',
      'max_cost_usd',
    ],
  ])('%s', (yaml, key, permitted, meant) => {
    const result = compile(yaml);
    expect(result.ok).toBe(false);
    const [error] = result.diagnostics.filter(({ severity }) => severity === 'error');
    expect(error).toMatchObject({ code: 'workspace_key_unknown', message: `unknown key '${key}': ${permitted}` });
    if (meant !== undefined) expect(error?.hint).toBe(`did you mean '${meant}'?`);
  });

  test.each([registry('allowlist: {tool_ids: [], x-note: 1}'), `${registry('catalog: {}')}nmae: x\n`])(
    'but not any other unknown key: %s',
    (yaml) => expect(compile(yaml).ok).toBe(true),
  );
});

test.each([
  ['agents: {id: weather, modle: m}', "missing required field 'agents.model'", "did you mean 'model'?", 23],
  ['agents: {id: weather}', "missing required field 'agents.model'", expect.any(String), 1],
  ['agents: {role: x}', "missing required fields 'agents.id' and 'agents.model'", expect.any(String), 1],
])('%s names what is missing', (agents, message, hint, column) => {
  const [found] = compile(`${agents}\nmcp_registry: {servers: {}}\n`).diagnostics;
  expect(found).toMatchObject({ path: 'agents', message, hint, line: 1, column });
});

describe('names without a server', () => {
  const hintOf = (yaml: string, code: string) => compile(yaml).diagnostics.find((each) => each.code === code)?.hint;
  const servers = (ids: string): string => `${AGENT}mcp_registry: {servers: {${ids}}, allowlist: {tool_ids: [find]}}\n`;
  const server = (id: string): string => `${id}: {type: remote, url: "http://x"}`;

  test.each([
    [
      registry(`allowlist: {tool_ids: [forecast]}, catalog: {workspace.forecast: ${FORECAST}}`),
      /^did you mean 'workspace.forecast'\?$/,
    ],
    [
      registry(`allowlist: {tool_ids: [forecast]}, catalog: {forecast: ${FORECAST}}`),
      /^did you mean 'workspace.forecast'\?$/,
    ],
    [servers(server('crm')), /'crm.find'$/],
    [servers(`${server('crm')}, ${server('erp')}`), /'crm.find'; the servers are: crm, erp$/],
  ])('in the allowlist: %s', (yaml, hint) => {
    expect(hintOf(yaml, 'workspace_mcp_tool_id_invalid')).toMatch(hint);
  });

  test('in the catalog', () => {
    expect(hintOf(registry(`catalog: {forecast: ${FORECAST}}`), 'workspace_value_ignored')).toBe(
      "rename it to 'workspace.forecast'",
    );
  });
});

test('a model that the installation cannot call is an error at the model of its agent', () => {
  const problem = {
    code: 'model_provider_unconfigured',
    message: 'no provider',
    hint: 'Did you mean openai/m?',
  } as const;
  const modelProblem = (model: string) => (model.startsWith('opnai/') ? problem : undefined);
  const team = '  - {id: lead, model: openai/m, coordinator: true}\n  - {id: b, model: opnai/m}\n';
  const result = compile(`agents:\n${team}mcp_registry: {servers: {}}\n`, { modelProblem });
  expect(result.ok || result.error).toMatchObject({ code: 'model_provider_unconfigured', path: 'agents[1].model' });
  expect(result.diagnostics).toMatchObject([{ line: 3, message: 'no provider', hint: 'Did you mean openai/m?' }]);
});
