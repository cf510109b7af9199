import { expect, test } from '@jest/globals';
import { compileWorkspace } from '../index.ts';

const compile = (toolId: string) =>
  compileWorkspace({
    workspaceId: 'ws',
    workspaceYaml: [
      'agents: {id: a, model: m}',
      `mcp_registry: {servers: {}, allowlist: {tool_ids: [${toolId}]}}`,
      'applications: [{app_id: tickets, config_path: crm.yaml}]',
    ].join('\n'),
    references: { 'crm.yaml': 'app_id: tickets\nmcp: {port: 3099}\n' },
  });

test('the allowlist names tools of an application by its id', () => {
  const result = compile('tickets.find');
  expect(result.ok && result.plan).toMatchObject({
    resolved_mcp_tool_refs: [{ tool_id: 'tickets.find', server_id: 'tickets', tool_name: 'find' }],
    resolved_mcp_servers: [],
  });
});

test('an unknown application is a mistake, and the known one is suggested', () => {
  const result = compile('tickest.find');
  expect(result.ok || result.error).toMatchObject({ code: 'workspace_mcp_server_unknown' });
  expect(JSON.stringify(result.ok || result.diagnostics)).toContain("did you mean 'tickets.find'?");
});
