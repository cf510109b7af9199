import { describe, expect, test } from '@jest/globals';
import { cpuGrowth } from './testing/cpu-growth.ts';
import {
  AGENT,
  compile,
  compileManifest,
  EMPTY_REGISTRY,
  planOf,
  refusalOf,
  withServer,
  withServers,
} from './testing/workspaces.ts';

const MANIFEST = 'app_id: a\nmcp:\n  port: 3099\n';
const APP = 'applications:\n  - app_id: a\n    config_path: apps/a/app.runtime.yaml\n';
const IDS = 'mcp_registry.allowlist.tool_ids';

/** The code and path of the error, as `code @ path`. */
function refused(workspaceYaml: string, references?: Record<string, string>): string {
  const { code, path } = refusalOf(compile(workspaceYaml, references)).error;
  return `${code} @ ${path}`;
}

function refusedManifest(manifest: string): string {
  const { code, path } = refusalOf(compileManifest(manifest)).error;
  return `${code} @ ${path}`;
}

const remote = (name: string): string => `${name}: {type: remote, url: "http://${name}"}`;

describe('acceptance: errors', () => {
  test.each([
    ['8: agents as a list', `agents: [{id: a, model: m}]\n${EMPTY_REGISTRY}`, 'workspace_general_missing @ agents'],
    ['9: agents.general', `agents: {general: {}}\n${EMPTY_REGISTRY}`, 'workspace_general_missing @ agents'],
    ['17: an empty file', '', 'workspace_config_invalid_yaml @ workspace.yaml'],
    ['18: a repeated key', `${AGENT}agents: {}\n`, 'workspace_config_invalid_yaml @ workspace.yaml'],
    ['19: a blank id', `agents: {id: "  ", model: m}\n${EMPTY_REGISTRY}`, 'workspace_general_missing @ agents.id'],
    ['19: a number for an id', `agents: {id: 1, model: m}\n${EMPTY_REGISTRY}`, 'workspace_general_missing @ agents.id'],
    [
      '20: an inline prompt, even an empty one',
      `${AGENT}  prompt:\n${EMPTY_REGISTRY}`,
      'workspace_prompt_inline_not_allowed @ agents.prompt',
    ],
    [
      '21: two output schemas',
      `${AGENT}  schema_id: a\n  schema_module_path: b\n${EMPTY_REGISTRY}`,
      'workspace_schema_field_conflict @ agents',
    ],
    [
      '22: tool_registry',
      `${AGENT}tool_registry: {}\n${EMPTY_REGISTRY}`,
      'workspace_tool_registry_unsupported @ tool_registry',
    ],
    ['23: no mcp_registry', AGENT, 'workspace_mcp_registry_missing @ mcp_registry'],
    ['23: no servers', `${AGENT}mcp_registry: {}\n`, 'workspace_mcp_registry_missing @ mcp_registry.servers'],
    [
      '23: empty servers',
      `${AGENT}mcp_registry:\n  servers:\n`,
      'workspace_mcp_registry_missing @ mcp_registry.servers',
    ],
    [
      '23: the allowlist is a list',
      `${AGENT}mcp_registry: {allowlist: [], servers: {}}\n`,
      'workspace_mcp_registry_missing @ mcp_registry.allowlist',
    ],
    ['24: abc', withServers(remote('g'), ['abc']), `workspace_mcp_tool_id_invalid @ ${IDS}[0]`],
    ['24: a.b.c', withServers(remote('g'), ['a.b.c']), `workspace_mcp_tool_id_invalid @ ${IDS}[0]`],
    ['24: a.*', withServers(remote('g'), ['a.*']), `workspace_mcp_tool_id_invalid @ ${IDS}[0]`],
    [
      '25: repeated after trimming',
      withServers(remote('g'), ['g.x', ' g.x ']),
      `workspace_mcp_tool_id_invalid @ ${IDS}[1]`,
    ],
    [
      '26: tool_ids is not a list',
      `${AGENT}mcp_registry: {allowlist: {tool_ids: g.x}, servers: {}}\n`,
      `workspace_mcp_tool_id_invalid @ ${IDS}`,
    ],
    ['27: an unknown server', withServers(remote('g'), ['h.x']), `workspace_mcp_server_unknown @ ${IDS}[0]`],
    [
      '27: a disabled server',
      withServers('g: {type: remote, url: "http://g", enabled: false}', ['g.x']),
      `workspace_mcp_server_unknown @ ${IDS}[0]`,
    ],
    ['28: no type', withServer('url: http://g'), 'workspace_mcp_server_unknown @ mcp_registry.servers.g.type'],
    ['28: type http', withServer('type: http'), 'workspace_mcp_server_unknown @ mcp_registry.servers.g.type'],
    ['29: no url', withServer('type: remote'), 'workspace_mcp_server_unknown @ mcp_registry.servers.g.url'],
    ['29: no command', withServer('type: local'), 'workspace_mcp_server_unknown @ mcp_registry.servers.g.command'],
    [
      '29: an empty command',
      withServer('type: local\ncommand: []'),
      'workspace_mcp_server_unknown @ mcp_registry.servers.g.command',
    ],
    [
      '29: a command as text',
      withServer('type: local\ncommand: npx'),
      'workspace_mcp_server_unknown @ mcp_registry.servers.g.command',
    ],
    [
      '29: a blank token',
      withServer('type: local\ncommand: [npx, "  "]'),
      'workspace_mcp_server_unknown @ mcp_registry.servers.g.command[1]',
    ],
    ...['1.5', '0', '"5"'].map(
      (timeout) =>
        [
          `30: timeout_ms ${timeout}`,
          withServer(`type: remote\nurl: http://g\ntimeout_ms: ${timeout}`),
          'workspace_mcp_server_unknown @ mcp_registry.servers.g.timeout_ms',
        ] as const,
    ),
    [
      '31: headers as a list',
      withServer('type: remote\nurl: http://g\nheaders: [a]'),
      'workspace_mcp_server_unknown @ mcp_registry.servers.g.headers',
    ],
    [
      '31: a number for a header',
      withServer('type: remote\nurl: http://g\nheaders: {A: 1}'),
      'workspace_mcp_server_unknown @ mcp_registry.servers.g.headers.A',
    ],
    [
      '32: a remote workspace server',
      withServers(remote('workspace')),
      'workspace_mcp_server_unknown @ mcp_registry.servers.workspace.type',
    ],
    [
      '33: a workspace tool without catalog entry',
      withServers(remote('g'), ['workspace.x']),
      `workspace_mcp_catalog_missing @ ${IDS}[0]`,
    ],
    ...[
      ['tools.echo', ''],
      ['{symbol: a}', '.module_path'],
      ['{module_path: tools.a}', '.symbol'],
    ].map(
      ([entry, field]) =>
        [
          `34: catalog entry ${entry}`,
          `${AGENT}${EMPTY_REGISTRY}  catalog: {workspace.echo: ${entry}}\n`,
          `workspace_mcp_catalog_entry_invalid @ mcp_registry.catalog.workspace.echo${field}`,
        ] as const,
    ),
    [
      '36: applications as a mapping',
      `${AGENT}${EMPTY_REGISTRY}applications: {a: b}\n`,
      'workspace_config_invalid_yaml @ applications',
    ],
    [
      '36: an entry as text',
      `${AGENT}${EMPTY_REGISTRY}applications: [a]\n`,
      'workspace_config_invalid_yaml @ applications[0]',
    ],
    ['36: no manifest', `${AGENT}${EMPTY_REGISTRY}${APP}`, 'app_config_not_found @ applications[0].config_path'],
  ] as const)('%s', (_, workspace, expected) => {
    expect(refused(workspace)).toBe(expected);
  });

  test.each([
    [
      '12: an unknown credential source',
      `${MANIFEST}integrations: [{provider: a, credential_source: vault}]\n`,
      'app_config_invalid_yaml @ apps/a/app.runtime.yaml',
    ],
    [
      '13: both forms of integrations',
      `${MANIFEST}integration: {provider: a}\nintegrations: [{provider: b}]\n`,
      'app_config_invalid_yaml @ apps/a/app.runtime.yaml',
    ],
    ['36: a different id', 'app_id: b\nmcp: {port: 1}\n', 'app_id_mismatch @ apps/a/app.runtime.yaml'],
    ['36: no port', 'app_id: a\n', 'app_mcp_port_missing @ apps/a/app.runtime.yaml:mcp.port'],
    [
      '36: a port that is not a number',
      'app_id: a\nmcp: {port: abc}\n',
      'app_mcp_port_missing @ apps/a/app.runtime.yaml:mcp.port',
    ],
  ])('%s', (_, manifest, expected) => {
    expect(refusedManifest(manifest)).toBe(expected);
  });

  test('12: the allowed credential sources are listed', () => {
    const { error } = refusalOf(
      compileManifest(`${MANIFEST}integrations: [{provider: a, credential_source: vault}]\n`),
    );
    expect(error.message).toContain('platform, manual, broker');
  });

  test('18: the message names the repeated key and its line', () => {
    expect(refusalOf(compile('a: 1\na: 2\n')).error.message).toBe('invalid YAML: duplicated mapping key (2:1)');
  });

  test('27: the error includes a hint', () => {
    const { error } = refusalOf(compile(withServers(remote('github'), ['gihub.x'])));
    expect(error.hint).toBe('add server config under mcp_registry.servers');
  });

  test('36: two applications with the same id', () => {
    const apps = `${APP}  - app_id: a\n    config_path: other.yaml\n`;
    expect(
      refused(AGENT + EMPTY_REGISTRY + apps, { 'apps/a/app.runtime.yaml': MANIFEST, 'other.yaml': MANIFEST }),
    ).toBe('app_duplicate_id @ applications[1].app_id');
  });
});

test('reads a manifest that many applications share only once', () => {
  const manifest = `app_id: a0\nmcp: {port: 1}\n${'# note\n'.repeat(100_000)}`;
  const sharedBy = (count: number) => {
    const apps = Array.from({ length: count }, (_, i) => `  - {app_id: a${i}, config_path: a.yaml}\n`).join('');
    return compile(`${AGENT}${EMPTY_REGISTRY}applications:\n${apps}`, { 'a.yaml': manifest });
  };
  const { error, diagnostics } = refusalOf(sharedBy(300));
  expect(error).toMatchObject({ code: 'app_id_mismatch', path: 'a.yaml' });
  expect(diagnostics[0]).toMatchObject({ file: 'workspace.yaml', message: expect.stringContaining("'a1'") });
  // Reading it for each application would take a hundred times as long for 300 of them as for two.
  expect(
    cpuGrowth(
      () => void sharedBy(2),
      () => void sharedBy(300),
    ),
  ).toBeLessThan(20);
});

describe('acceptance: errors that the legacy system ignores', () => {
  test.each([
    ['enabled: "false"', withServer('type: remote\nurl: http://g\nenabled: "false"'), 'mcp_registry.servers.g.enabled'],
    [
      'a path that points outside the workspace',
      `${AGENT}${EMPTY_REGISTRY}applications: [{app_id: a, config_path: ../x.yaml}]\n`,
      'applications[0].config_path',
    ],
    [
      'an absolute path',
      `${AGENT}${EMPTY_REGISTRY}applications: [{app_id: a, config_path: /etc/passwd}]\n`,
      'applications[0].config_path',
    ],
  ])('rejects %s', (_, workspace, path) => {
    expect(refusalOf(compile(workspace, { '../x.yaml': MANIFEST, '/etc/passwd': MANIFEST })).error.path).toBe(path);
  });

  test.each(['0', '70000', '99999.5', '""', 'false', '-1', '2024-01-01'])('rejects port %s', (port) => {
    expect(refusalOf(compileManifest(`app_id: a\nmcp: {port: ${port}}\n`)).error.code).toBe('app_mcp_port_missing');
  });

  test('the prompt is empty without AGENTS.md', () => {
    expect(planOf(compile(AGENT + EMPTY_REGISTRY)).resolved_prompts).toEqual({ 'workspace.general': '' });
  });

  test('warns about an unknown key', () => {
    const result = compile(`${AGENT}${EMPTY_REGISTRY}aplications: []\n`);
    expect(result).toMatchObject({
      ok: true,
      diagnostics: [{ severity: 'warning', hint: "did you mean 'applications'?" }],
    });
  });
});
