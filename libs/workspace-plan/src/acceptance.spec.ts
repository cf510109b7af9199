import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { collectReferences } from './index.ts';
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

/** The refusal's code and path, as `code @ path`. */
function refused(workspaceYaml: string, references?: Record<string, string>): string {
  const { code, path } = refusalOf(compile(workspaceYaml, references)).error;
  return `${code} @ ${path}`;
}

function refusedManifest(manifest: string): string {
  const { code, path } = refusalOf(compileManifest(manifest)).error;
  return `${code} @ ${path}`;
}

const remote = (name: string): string => `${name}: {type: remote, url: "http://${name}"}`;
const echo = '  catalog:\n    workspace.echo: {module_path: tools.echo, symbol: echo}\n';

describe('acceptance: references and plans', () => {
  test('1: an application is a reference', () => {
    expect(collectReferences(AGENT + EMPTY_REGISTRY + APP)).toEqual(['AGENTS.md', 'apps/a/app.runtime.yaml']);
  });

  test('2: a minimal workspace is a single plan with empty lists', () => {
    expect(planOf(compile(AGENT + EMPTY_REGISTRY))).toMatchObject({
      mode: 'single',
      resolved_mcp_servers: [],
      resolved_mcp_tool_refs: [],
      workspace_mcp_catalog: [],
      resolved_applications: [],
      mcp_tool_allowlist: [],
    });
  });

  test('3: a remote server without allowlist is kept, and nothing is named', () => {
    const plan = planOf(compile(withServers(remote('g'))));
    expect(plan.resolved_mcp_servers).toMatchObject([{ server_id: 'g', timeout_ms: 10_000 }]);
    expect(plan.resolved_mcp_tool_refs).toEqual([]);
  });

  test('4: a catalog without allowlist brings the workspace server', () => {
    const plan = planOf(compile(`${AGENT}${EMPTY_REGISTRY}${echo}`));
    expect(plan.workspace_mcp_catalog).toHaveLength(1);
    expect(plan.resolved_mcp_servers).toMatchObject([{ server_id: 'workspace', type: 'local' }]);
  });

  test('5: an allowlisted workspace tool', () => {
    const plan = planOf(
      compile(`${AGENT}mcp_registry:\n  allowlist: {tool_ids: [workspace.echo]}\n  servers: {}\n${echo}`),
    );
    expect(plan.resolved_mcp_tool_refs).toEqual([
      { tool_id: 'workspace.echo', server_id: 'workspace', tool_name: 'echo' },
    ]);
    expect(plan.workspace_mcp_catalog).toHaveLength(1);
    expect(plan.resolved_mcp_servers).toMatchObject([{ server_id: 'workspace', command: [], timeout_ms: 10_000 }]);
  });

  test('6: mixed mode keeps the server that the allowlist does not name', () => {
    const plan = planOf(compile(withServers(`${remote('a')}\n${remote('b')}`, ['a.x'])));
    expect(plan.resolved_mcp_servers.map((server) => server.server_id)).toEqual(['a', 'b']);
    expect(plan.resolved_mcp_tool_refs).toHaveLength(1);
  });

  test('7: the prompt is AGENTS.md, and the application is resolved', () => {
    const plan = planOf(
      compile(AGENT + EMPTY_REGISTRY + APP, {
        'AGENTS.md': '# Rules\n',
        'apps/a/app.runtime.yaml': `${MANIFEST}  path: /x\nenv_contract: [USER_ID]\n`,
      }),
    );
    expect(plan.resolved_prompts).toEqual({ 'workspace.general': '# Rules\n' });
    expect(plan.resolved_applications).toMatchObject([{ mcp: { port: 3099, path: '/x' }, env_contract: ['USER_ID'] }]);
  });

  test('10: integrations have keys, providers and defaults', () => {
    const [app] = planOf(
      compileManifest(`${MANIFEST}integrations: [{provider: google}, {key: mail, provider: m}]\n`),
    ).resolved_applications;
    expect(app?.integrations).toMatchObject([
      { key: 'google', provider: 'google', required: true, credentialSource: 'platform' },
      { key: 'mail', provider: 'm' },
    ]);
  });

  test('11: the single integration of older manifests', () => {
    const [app] = planOf(compileManifest(`${MANIFEST}integration: {destination: twitter}\n`)).resolved_applications;
    expect(app?.integrations).toMatchObject([{ key: 'twitter', provider: 'twitter' }]);
  });

  test('14: a health check of api alone is the one that counts', () => {
    const [app] = planOf(compileManifest(`${MANIFEST}healthchecks: {api: {path: /up}}\n`)).resolved_applications;
    expect(app?.health_check).toEqual({ target: 'api', path: '/up', timeout_s: 60, interval_s: 5 });
  });

  test('35: servers come in the order in which the allowlist names them', () => {
    const plan = planOf(compile(withServers(['a', 'c', 'b'].map(remote).join('\n'), ['b.x', 'a.y'])));
    expect(plan.resolved_mcp_servers.map((server) => server.server_id)).toEqual(['b', 'a', 'c']);
  });

  test('37: an empty allowlist is none', () => {
    expect(planOf(compile(withServers(remote('g'), []))).resolved_mcp_servers).toHaveLength(1);
  });

  test('38: the checksum is that of the bytes of workspace.yaml alone', () => {
    const text = AGENT + EMPTY_REGISTRY;
    const sum = (yaml: string, agents = '') => planOf(compile(yaml, { 'AGENTS.md': agents })).config_checksum;
    expect(sum(text)).toBe(createHash('sha256').update(text).digest('hex'));
    expect(sum(text)).toBe(sum(text, 'other instructions'));
    expect(sum(`${text} `)).not.toBe(sum(text));
  });
});

describe('acceptance: refusals', () => {
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
      '26: tool_ids is no list',
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
    ['36: another id', 'app_id: b\nmcp: {port: 1}\n', 'app_id_mismatch @ apps/a/app.runtime.yaml'],
    ['36: no port', 'app_id: a\n', 'app_mcp_port_missing @ apps/a/app.runtime.yaml:mcp.port'],
    [
      '36: a port of letters',
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

  test('27: a hint is part of the refusal', () => {
    const { error } = refusalOf(compile(withServers(remote('github'), ['gihub.x'])));
    expect(error.hint).toBe('add server config under mcp_registry.servers');
  });

  test('36: an id that two applications have', () => {
    const apps = `${APP}  - app_id: a\n    config_path: other.yaml\n`;
    expect(
      refused(AGENT + EMPTY_REGISTRY + apps, { 'apps/a/app.runtime.yaml': MANIFEST, 'other.yaml': MANIFEST }),
    ).toBe('app_duplicate_id @ applications[1].app_id');
  });
});

describe('acceptance: what was overlooked before', () => {
  test.each([
    ['enabled: "false"', withServer('type: remote\nurl: http://g\nenabled: "false"'), 'mcp_registry.servers.g.enabled'],
    [
      'a path that leaves the workspace',
      `${AGENT}${EMPTY_REGISTRY}applications: [{app_id: a, config_path: ../x.yaml}]\n`,
      'applications[0].config_path',
    ],
    [
      'an absolute path',
      `${AGENT}${EMPTY_REGISTRY}applications: [{app_id: a, config_path: /etc/passwd}]\n`,
      'applications[0].config_path',
    ],
  ])('%s is refused', (_, workspace, path) => {
    expect(refusalOf(compile(workspace, { '../x.yaml': MANIFEST, '/etc/passwd': MANIFEST })).error.path).toBe(path);
  });

  test.each(['0', '70000', '99999.5', '""', 'false', '-1', '2024-01-01'])('port %s is refused', (port) => {
    expect(refusalOf(compileManifest(`app_id: a\nmcp: {port: ${port}}\n`)).error.code).toBe('app_mcp_port_missing');
  });

  test('an absent AGENTS.md is an empty prompt', () => {
    expect(planOf(compile(AGENT + EMPTY_REGISTRY)).resolved_prompts).toEqual({ 'workspace.general': '' });
  });

  test('an unknown key is warned about', () => {
    const result = compile(`${AGENT}${EMPTY_REGISTRY}aplications: []\n`);
    expect(result).toMatchObject({
      ok: true,
      diagnostics: [{ severity: 'warning', hint: "did you mean 'applications'?" }],
    });
  });
});
