import { expect, test } from '@jest/globals';
import { codesOf, compile, planOf, refusalOf, withServer, withServers } from '../testing/workspaces.ts';

test('a plan lists the servers that requests share', () => {
  const servers = [
    'a: {type: local, command: [a], isolation: workspace}',
    'b: {type: local, command: [b], isolation: run}',
    'c: {type: local, command: [c]}',
    'd: {type: local, command: [d], isolation: workspace, enabled: false}',
  ].join('\n');
  expect(planOf(compile(withServers(servers))).extensions?.shared_servers).toEqual(['a']);
  expect(planOf(compile(withServer('type: local\ncommand: [a]'))).extensions).toBeUndefined();
});

test.each(['shared', 'true', '[run]'])('the isolation %s is refused', (value) => {
  const { diagnostics } = refusalOf(compile(withServer(`type: local\ncommand: [a]\nisolation: ${value}`)));
  expect(diagnostics).toMatchObject([
    { path: 'mcp_registry.servers.g.isolation', message: "isolation must be 'run' or 'workspace'" },
  ]);
});

test('a remote server ignores it, and the server of the catalog cannot be shared', () => {
  const remote = compile(withServer('type: remote\nurl: http://g\nisolation: workspace'));
  expect([codesOf(remote), planOf(remote).extensions]).toEqual([['workspace_value_ignored'], undefined]);
  const workspace = withServers('workspace: {type: local, isolation: workspace}');
  expect(refusalOf(compile(workspace)).error.path).toBe('mcp_registry.servers.workspace.isolation');
});
