import { expect, test } from '@jest/globals';
import { codesOf, compile, planOf, refusalOf, withServer, withServers } from '../testing/workspaces.ts';

const packageOf = (fields: string) => {
  const plan = planOf(compile(withServer(`type: local\n${fields}`)));
  return { package: plan.extensions?.server_packages?.g, command: plan.resolved_mcp_servers[0]?.command };
};
const SHA512 = `sha512-${'A'.repeat(86)}==`;
const SHA256 = `sha256:${'0'.repeat(64)}`;

test.each([
  ['npm: "@scope/some-server@1.2.3"', { registry: 'npm', name: '@scope/some-server', version: '1.2.3' }],
  ['npm: x@1.2.3-beta.1+build', { registry: 'npm', name: 'x', version: '1.2.3-beta.1+build' }],
  [`npm: x@1.2.3\nintegrity: ${SHA512}`, { registry: 'npm', name: 'x', version: '1.2.3', integrity: SHA512 }],
  ['pypi: mcp-server-time@2025.9.25', { registry: 'pypi', name: 'mcp-server-time', version: '2025.9.25' }],
  ['pypi: Some_Server==1!2.0rc1', { registry: 'pypi', name: 'some-server', version: '1!2.0rc1' }],
  [`pypi: x@1.0\nintegrity: ${SHA256}`, { registry: 'pypi', name: 'x', version: '1.0', integrity: SHA256 }],
])('a server has the package %s and needs no command', (fields, expected) => {
  expect(packageOf(fields)).toEqual({ package: expected, command: [] });
});

test('a command next to a package names a program and arguments', () => {
  expect(packageOf('npm: x@1.2.3\ncommand: [serve, --all]').command).toEqual(['serve', '--all']);
  expect(refusalOf(compile(withServer('type: local\nnpm: x@1.2.3\ncommand: serve'))).error.path).toBe(
    'mcp_registry.servers.g.command',
  );
});

test.each([
  ['npm: some-server', "the package 'some-server' has no version", 'npm view some-server versions'],
  ['npm: "@scope/x"', "the package '@scope/x' has no version", '`@scope/x@<version>`'],
  ['npm: x@latest', "'latest' is not an exact version", 'npm view x versions'],
  ['npm: x@^1.2.3', "'^1.2.3' is not an exact version", 'for example `x@1.2.3`'],
  ['npm: x@1.2', "'1.2' is not an exact version", 'npm view x versions'],
  ['npm: x@>=1.2.3 <2', "'>=1.2.3 <2' is not an exact version", '`x@1.2.3`'],
  ['npm: x@*', "'*' is not an exact version", 'npm view x versions'],
  ['npm: "-g@1.2.3"', "'-g' is not the name of a package of npm", 'some-server@1.2.3'],
  ['npm: github:owner/x@1.2.3', "'github:owner/x' is not the name of a package of npm", 'some-server@1.2.3'],
  ['npm: 3', 'expected a package as text (got a number)', 'npm: "some-server@1.2.3"'],
  ['pypi: some-server', "the package 'some-server' has no version", 'pip index versions some-server'],
  ['pypi: x>=1.0', "'>=1.0' is not an exact version", '`x@1.0`'],
  ['pypi: x~=1.4.2', "'~=1.4.2' is not an exact version", '`x@1.4.2`'],
  ['pypi: x==1.*', "'==1.*' is not an exact version", 'pip index versions x'],
  ['pypi: "x[cli]==1.0"', "'x[cli]' is not the name of a package of PyPI", 'some-server@1.2.3'],
])('rejects %s', (fields, message, hint) => {
  const { diagnostics } = refusalOf(compile(withServer(`type: local\n${fields}`)));
  expect(diagnostics).toMatchObject([{ code: 'workspace_mcp_server_invalid', message }]);
  expect(diagnostics[0]?.path).toBe(`mcp_registry.servers.g.${fields.slice(0, fields.indexOf(':'))}`);
  expect(diagnostics[0]?.hint).toContain(hint);
});

test.each([
  [`npm: x@1.2.3\nintegrity: ${SHA256}`, 'this is not the hash of a package of npm', 'dist.integrity'],
  [`pypi: x@1.2.3\nintegrity: ${SHA512}`, 'this is not the hash of a package of PyPI', 'wheel'],
  ['npm: x@1.2.3\npypi: x@1.2.3', 'a server has one package, from npm or from PyPI', 'remove one of them'],
])('rejects %s', (fields, message, hint) => {
  const { diagnostics } = refusalOf(compile(withServer(`type: local\n${fields}`)));
  expect(diagnostics).toMatchObject([{ message, hint: expect.stringContaining(hint) }]);
});

test('a package has no effect on a remote server, and is refused for the server of the catalog', () => {
  const remote = compile(withServer('type: remote\nurl: http://g\nnpm: x@1.2.3'));
  expect([codesOf(remote), planOf(remote).extensions]).toEqual([['workspace_value_ignored'], undefined]);
  expect(codesOf(compile(withServer(`type: local\ncommand: [a]\nintegrity: ${SHA512}`)))).toEqual([
    'workspace_value_ignored',
  ]);
  const workspace = withServers('workspace: {type: local, npm: x@1.2.3}');
  expect(refusalOf(compile(workspace)).error.path).toBe('mcp_registry.servers.workspace.npm');
});

test('a plan has the packages of the servers that a run uses', () => {
  const servers = 'a: {type: local, npm: a@1.0.0}\nb: {type: local, npm: b@1.0.0, enabled: false}';
  expect(Object.keys(planOf(compile(withServers(servers))).extensions?.server_packages ?? {})).toEqual(['a']);
});

test('a scoped package without quotes is reported with the way to write it', () => {
  const { diagnostics } = refusalOf(compile(withServer('type: local\nnpm: @scope/x@1.2.3')));
  expect(diagnostics[0]?.hint).toContain('npm: "@scope/x@1.2.3"');
  const inline = refusalOf(compile('mcp_registry: {servers: {x: {type: local, npm: @scope/x@1.2.3}}}\n'));
  expect(inline.diagnostics[0]?.hint).toContain('npm: "@scope/x@1.2.3"');
});

test('tabs in the indentation are reported once', () => {
  const { diagnostics } = refusalOf(
    compile('agents: {id: a, model: m}\nmcp_registry:\n\tservers: {}\n\tallowlist: {}\n'),
  );
  expect(diagnostics).toMatchObject([{ line: 3, hint: 'indent with spaces; YAML does not allow tabs' }]);
});
