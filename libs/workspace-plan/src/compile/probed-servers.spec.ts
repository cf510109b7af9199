import { expect, test } from '@jest/globals';
import { compileWorkspace } from '../index.ts';
import { AGENT, planOf } from '../testing/workspaces.ts';
import type { ProbedServer } from './probed-server.ts';

const WORKSPACE = `${AGENT}gated_tools: [bash, notes.wipe_all, "notes.*"]
mcp_registry:
  allowlist:
    tool_ids: [notes.read, notes.serch, workspace.echo, crm.find]
  servers:
    notes: {type: local, command: [notes]}
    crm: {type: remote, url: http://crm}
    other: {type: remote, url: http://other}
  catalog:
    workspace.echo: {module_path: tools.echo, symbol: echo}
`;
const NOTES = { server_id: 'notes', tools: ['read', 'search', 'wipe'] };
const compile = (probed: readonly ProbedServer[]) =>
  compileWorkspace({ workspaceId: 'ws', workspaceYaml: WORKSPACE, references: {} }, { probed });
const found = (probed: readonly ProbedServer[]) =>
  compile(probed).diagnostics.map(({ code, path, line, message, hint }) => [code, path, line, message, hint]);

test('tools that their server does not offer are errors at their place, with the tool that was meant', () => {
  const offers = 'it offers: read, search, wipe';
  expect(found([NOTES])).toEqual([
    [
      'workspace_mcp_tool_unknown',
      'gated_tools[1]',
      4,
      `the server 'notes' has no tool 'wipe_all'; ${offers}`,
      expect.any(String),
    ],
    [
      'workspace_mcp_tool_unknown',
      'mcp_registry.allowlist.tool_ids[1]',
      7,
      `the server 'notes' has no tool 'serch'; ${offers}`,
      "did you mean 'notes.search'?",
    ],
  ]);
  const result = compile([NOTES]);
  expect(result.ok || result.error).toMatchObject({
    code: 'workspace_mcp_tool_unknown',
    path: 'mcp_registry.allowlist.tool_ids[1]',
  });
});

test('a server that did not start is reported once, where it is declared, and its tools are not', () => {
  const problem = { message: "MCP server 'crm': connection refused", hint: 'Start it.' };
  const offered = [
    { ...NOTES, tools: ['read', 'serch', 'wipe_all'] },
    { server_id: 'crm', tools: [], problem },
  ];
  expect(found(offered)).toEqual([
    [
      'workspace_mcp_server_failed',
      'mcp_registry.servers.crm',
      10,
      "'crm' does not start: MCP server 'crm': connection refused",
      'Start it.',
    ],
  ]);
});

test('a tool of the catalog that cannot be loaded is reported at its entry', () => {
  const failed_tools = [{ tool_id: 'workspace.echo', reason: 'tools/echo.mjs has no export echo' }];
  expect(found([{ server_id: 'workspace', tools: [], failed_tools }])).toMatchObject([
    [
      'workspace_mcp_server_failed',
      'mcp_registry.catalog.workspace.echo',
      13,
      "the tool 'workspace.echo' cannot be loaded: tools/echo.mjs has no export echo",
      expect.any(String),
    ],
  ]);
});

test('a workspace whose tools are all offered has the same plan as without a probe', () => {
  const offered = [
    { ...NOTES, tools: ['read', 'serch', 'wipe_all', 'more'] },
    { server_id: 'crm', tools: ['find'] },
    { server_id: 'workspace', tools: ['echo'] },
    { server_id: 'other', tools: [] },
  ];
  const unprobed = compileWorkspace({ workspaceId: 'ws', workspaceYaml: WORKSPACE, references: {} });
  expect(planOf(compile(offered))).toEqual(planOf(unprobed));
});
