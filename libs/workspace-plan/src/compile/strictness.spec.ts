import { describe, expect, test } from '@jest/globals';
import { cpuGrowth } from '../testing/cpu-growth.ts';
import {
  AGENT,
  codesOf,
  compile,
  compileManifest,
  EMPTY_REGISTRY,
  planOf,
  refusalOf,
  withServer,
  withServers,
} from '../testing/workspaces.ts';

const remote = (more = ''): string => withServer(`type: remote\nurl: http://g\n${more}`);

describe('values that the legacy system guesses', () => {
  test.each([
    ['true', 1, []],
    ['false', 0, []],
    ['"true"', 1, ['workspace_value_coerced']],
    ['yes', 1, ['workspace_value_coerced']],
    ['1', 1, ['workspace_value_coerced']],
    ['', 0, ['workspace_value_coerced']],
    ['""', 0, ['workspace_value_coerced']],
    ['0', 0, ['workspace_value_coerced']],
  ])('accepts enabled: %s with its evident meaning', (value, servers, warnings) => {
    const result = compile(remote(`enabled: ${value}`));
    expect(planOf(result).resolved_mcp_servers).toHaveLength(servers);
    expect(codesOf(result)).toEqual(warnings);
  });

  test.each(['"false"', 'no', '"off"', '"0"', 'maybe', '[]', '{}', '2'])('rejects enabled: %s', (value) => {
    expect(refusalOf(compile(remote(`enabled: ${value}`))).error.path).toBe('mcp_registry.servers.g.enabled');
    expect(refusalOf(compile(remote(`enabled: ${value}`))).diagnostics[0]?.hint).toMatch(
      /^write (`enabled: false`|true or false, without quotes)$/,
    );
  });

  test.each(['not a url', 'ftp://host', 'localhost:3099/mcp', 'http://', '{env:URL}'])('rejects url %j', (url) => {
    const refusal = refusalOf(compile(withServer(`type: remote\nurl: ${JSON.stringify(url)}`)));
    expect(refusal.error.path).toBe('mcp_registry.servers.g.url');
  });

  test('rejects a timeout that is longer than a timer allows', () => {
    expect(planOf(compile(remote('timeout_ms: 2147483647'))).resolved_mcp_servers[0]?.timeout_ms).toBe(2_147_483_647);
    const { error } = refusalOf(compile(remote('timeout_ms: 2147483648')));
    expect(error.path).toContain('timeout_ms');
    expect(error.hint).toContain('from 1 to 2147483647');
  });

  test.each(['__proto__', '"  "', '? {a: 1}\n'])('rejects the server name %s', (name) => {
    expect(compile(withServers(`${name}: {type: remote, url: "http://g"}`)).ok).toBe(false);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty'])('accepts the server name %s', (name) => {
    const plan = planOf(compile(withServers(`${name}: {type: remote, url: "http://g"}`, [`${name}.x`])));
    expect(plan.resolved_mcp_servers).toMatchObject([{ server_id: name }]);
    expect(refusalOf(compile(withServers('', [`${name}.x`]))).diagnostics.map((each) => each.message)).toContain(
      `unknown MCP server '${name}' for tool '${name}.x'`,
    );
  });

  test('warns about a name that was written as a number', () => {
    const result = compile(withServers('010: {type: remote, url: "http://g"}'));
    expect(planOf(result).resolved_mcp_servers).toMatchObject([{ server_id: '10' }]);
    expect(result.diagnostics).toMatchObject([{ code: 'workspace_value_coerced', hint: 'quote it: "010"' }]);
  });

  test.each([
    ['"3099"', 3099, ['workspace_value_coerced']],
    ['03099', 3099, []],
    ['1e3', 1000, []],
  ])('reads port %s as %d', (port, expected, warnings) => {
    const result = compileManifest(`app_id: a\nmcp: {port: ${port}}\n`);
    expect(planOf(result).resolved_applications[0]?.mcp.port).toBe(expected);
    expect(codesOf(result)).toEqual(warnings);
  });

  test.each([
    ['transport: htp-sse', 'mcp.transport', "did you mean 'http-sse'?"],
    ['transport: websocket', 'mcp.transport', 'use one of'],
    ['path: mcp', 'mcp.path', 'write `path: /mcp`'],
    ['path: ""', 'mcp.path', 'write `path: /`'],
  ])('warns about an application that cannot be reached (%s)', (field, path, hint) => {
    const result = compileManifest(`app_id: a\nmcp: {port: 1, ${field}}\n`);
    expect(planOf(result).resolved_applications).toHaveLength(1);
    expect(result.diagnostics).toMatchObject([
      {
        severity: 'warning',
        code: 'app_manifest_field_invalid',
        path: `apps/a/app.runtime.yaml:${path}`,
        line: 2,
        hint: expect.stringContaining(hint),
      },
    ]);
  });

  test.each([
    ['schema_module_path: ../x.json', '', 'agents.schema_module_path'],
    ['schema_id: /etc/x.json', '', 'agents.schema_id'],
    ['schema_id: s', 'schema_registry: {aliases: {s: ../../x}}\n', 'schema_registry.aliases.s'],
  ])('warns about a schema outside the workspace (%s %s)', (field, registry, path) => {
    const result = compile(`${AGENT}  ${field}\n${EMPTY_REGISTRY}${registry}`);
    expect(result.ok && result.diagnostics).toMatchObject([
      { severity: 'warning', code: 'workspace_path_escapes', path },
    ]);
  });

  test('uses the default for an empty duration of a health check, with a warning', () => {
    const result = compileManifest('app_id: a\nmcp: {port: 1}\nhealthchecks: {mcp: {timeout_s: }}\n');
    expect(planOf(result).resolved_applications[0]?.health_check.timeout_s).toBe(60);
    expect(codesOf(result)).toEqual(['workspace_value_coerced']);
  });

  test.each([
    ['start: 5', 'start'],
    ['lifecycle: [a]', 'lifecycle'],
    ['lifecycle: {stop: true}', 'lifecycle.stop'],
    ['healthchecks: {mcp: {timeout_s: -1}}', 'healthchecks.mcp.timeout_s'],
    ['healthchecks: {mcp: /up}', 'healthchecks.mcp'],
    ['env_contract: A', 'env_contract'],
    ['env_contract: [1]', 'env_contract[0]'],
    ['integrations: {a: b}', 'integrations'],
    ['integrations: [{key: a}]', 'integrations[0]'],
    ['integrations: [{provider: a, required: maybe}]', 'integrations[0].required'],
  ])('rejects %s in a manifest', (field, path) => {
    const refusal = refusalOf(compileManifest(`app_id: a\nmcp: {port: 1}\n${field}\n`));
    expect(refusal.error.path).toBe(`apps/a/app.runtime.yaml:${path}`);
  });

  test.each([
    ['schema_registry: [a]', 'schema_registry'],
    ['schema_registry: {aliases: {a: 1}}', 'schema_registry.aliases.a'],
    ['tool_registry: legacy', 'tool_registry'],
    ['applications: false', 'applications'],
    ['applications: [{app_id: [a], config_path: x.yaml}]', 'applications[0].app_id'],
  ])('rejects %s', (field, path) => {
    const refusal = refusalOf(
      compile(`${AGENT}${EMPTY_REGISTRY}${field}\n`, { 'x.yaml': 'app_id: a\nmcp: {port: 1}\n' }),
    );
    expect(refusal.error.path).toBe(path);
  });

  test('rejects a module outside the tools folder', () => {
    const catalog = '  catalog: {workspace.a: {module_path: ../../etc.passwd, symbol: x}}\n';
    expect(refusalOf(compile(`${AGENT}${EMPTY_REGISTRY}${catalog}`)).error.path).toBe(
      'mcp_registry.catalog.workspace.a.module_path',
    );
  });
});

describe('names from other formats', () => {
  test.each([
    ['stdio', 'local'],
    ['http', 'remote'],
  ])('suggests for type %s: %s', (type, here) => {
    expect(refusalOf(compile(withServer(`type: ${type}`))).diagnostics[0]?.hint).toContain(`'${here}'`);
  });

  test('suggests our keys for servers in the form of other programs', () => {
    const result = compile(`${AGENT}mcpServers: {files: {command: npx, args: [a]}}\n`);
    expect(result.diagnostics.find((each) => each.path === 'mcpServers')?.hint).toContain('mcp_registry.servers');
  });
});

describe('inputs that are too large', () => {
  test('are rejected before they are parsed', () => {
    const references = { 'AGENTS.md': 'x'.repeat(5 * 1024 * 1024) };
    expect(refusalOf(compile(AGENT + EMPTY_REGISTRY, references)).error.path).toBe('AGENTS.md');
  });

  test('rejects YAML files that are too large in total, without parsing them', () => {
    const names = Array.from({ length: 12 }, (_, i) => `a${i}.yaml`);
    const filesOf = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
    // Not YAML: parsing any of them would report a syntax error as well.
    const { diagnostics } = refusalOf(compile(AGENT + EMPTY_REGISTRY, filesOf('k: [1\n'.repeat(140_000))));
    expect(diagnostics).toMatchObject([{ code: 'workspace_input_too_large', file: 'workspace.yaml' }]);
  });
});

describe('warns about declarations without effect', () => {
  test.each([
    ['a url of a local server', withServer('type: local\ncommand: [a]\nurl: http://g')],
    ['a header without a name', remote('headers: {" ": a}')],
    [
      'a catalog that is not in the allowlist',
      `${withServers('g: {type: remote, url: "http://g"}', ['g.x'])}  catalog: {workspace.a: {module_path: tools.a, symbol: a}}\n`,
    ],
    [
      'a catalog of a disabled server',
      `${withServers('workspace: {type: local, enabled: false}')}  catalog: {workspace.a: {module_path: tools.a, symbol: a}}\n`,
    ],
    ['a catalog entry of another server', `${withServers('')}  catalog: {g.a: {module_path: tools.a, symbol: a}}\n`],
  ])('%s', (_, workspace) => {
    const result = compile(workspace);
    expect(result.ok).toBe(true);
    expect(codesOf(result)).toContain('workspace_value_ignored');
  });

  test('names that are equal after trimming', () => {
    const result = compile(withServers('g: {type: remote, url: "http://g"}\n" g ": {type: remote, url: "http://h"}'));
    expect(planOf(result).resolved_mcp_servers).toMatchObject([{ server_id: 'g', url: 'http://h' }]);
    expect(codesOf(result)).toEqual(['workspace_key_collision']);
  });

  test('checks a large value in linear time', () => {
    const checked = (openings: number, rest = '') =>
      codesOf(compile(remote(`headers: {A: "${'{env:'.repeat(openings)}${rest}"}`)));
    expect(checked(180_000, '{env:A}'.repeat(10))).toEqual(['mcp_placeholder_invalid']);
    expect(checked(180_000)).toEqual([]);
    // Ten times the value takes about ten times as long; a check that goes back would take a hundred times as long.
    expect(
      cpuGrowth(
        () => void checked(18_000),
        () => void checked(180_000),
      ),
    ).toBeLessThan(50);
  });

  test('warns about a placeholder without a valid variable name', () => {
    expect(
      codesOf(compile(remote('headers: {A: "Bearer {env:sk-1}", B: "{env:TOKEN}", C: "x {env:A}{env:B}"}'))),
    ).toEqual(['mcp_placeholder_invalid']);
  });
});

test('warns about a file that is not UTF-8, at the first invalid position', () => {
  const bytes = Buffer.concat([Buffer.from('Be kind.\nGr'), Buffer.from([0xfc]), Buffer.from('sse.')]);
  const result = compile(AGENT + EMPTY_REGISTRY, { 'AGENTS.md': new TextDecoder().decode(bytes) });
  expect(result.ok && result.diagnostics).toMatchObject([
    { severity: 'warning', code: 'workspace_encoding_invalid', file: 'AGENTS.md', line: 2, column: 3 },
  ]);
});
