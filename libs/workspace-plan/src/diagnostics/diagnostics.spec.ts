import { describe, expect, test } from '@jest/globals';
import { ERROR_CODES, nearest } from '@reins/contracts';
import {
  AGENT,
  codesOf,
  compile,
  compileManifest,
  EMPTY_REGISTRY,
  refusalOf,
  withServer,
  withServers,
} from '../testing/workspaces.ts';
import { DIAGNOSTIC_CODES } from './codes.ts';
import { renderDiagnostic } from './render.ts';
import { maskedLine } from './source-line.ts';

describe('diagnostics', () => {
  test('reports all independent problems together, each with its position and source line', () => {
    const workspace = `agents:
  id: ""
  model: 5
  prompt: hello
mcp_registry:
  allowlist:
    tool_ids: [bad, gihub.search]
  servers:
    github:
      type: remot
      headers: {A: 1}
      timeout_ms: 0
aplications: []
`;
    const reported = compile(workspace).diagnostics.map(
      (each) => `${each.file}:${each.line}:${each.column} ${each.severity} ${each.code} ${each.path}`,
    );
    expect(reported).toEqual([
      'workspace.yaml:2:7 error workspace_agent_field_invalid agents.id',
      'workspace.yaml:3:10 error workspace_agent_field_invalid agents.model',
      'workspace.yaml:4:3 error workspace_prompt_inline_not_allowed agents.prompt',
      'workspace.yaml:7:16 error workspace_mcp_tool_id_invalid mcp_registry.allowlist.tool_ids[0]',
      'workspace.yaml:7:21 error workspace_mcp_server_unknown mcp_registry.allowlist.tool_ids[1]',
      'workspace.yaml:10:13 error workspace_mcp_server_invalid mcp_registry.servers.github.type',
      'workspace.yaml:11:20 error workspace_mcp_server_invalid mcp_registry.servers.github.headers.A',
      'workspace.yaml:12:19 error workspace_mcp_server_invalid mcp_registry.servers.github.timeout_ms',
      'workspace.yaml:13:1 warning workspace_key_unknown aplications',
    ]);
    expect(compile(workspace).diagnostics.at(-1)?.source).toBe('aplications: []');
  });

  test('uses the first error that the legacy system reports as the error of the result', () => {
    const refusal = refusalOf(compile(withServers('g: {type: remote, url: "ftp://g"}\nh: {type: remote}')));
    expect(refusal.error).toMatchObject({ code: 'workspace_mcp_server_unknown', path: 'mcp_registry.servers.h.url' });
    expect(codesOf(refusal)).toEqual(['workspace_mcp_server_invalid', 'workspace_mcp_server_invalid']);
    expect(refusal.diagnostics[0]).toMatchObject({ alias: 'workspace_mcp_server_unknown' });
  });

  test('reports an invalid manifest in its own file and still checks the others', () => {
    const refusal = refusalOf(
      compile(
        `${AGENT}${EMPTY_REGISTRY}applications:\n  - {app_id: a, config_path: a.yaml}\n  - {app_id: b, config_path: b.yaml}\n`,
        { 'a.yaml': 'app_id: a\nmcp: [\n', 'b.yaml': 'app_id: c\n' },
      ),
    );
    expect(refusal.diagnostics.map((each) => `${each.file}:${each.line} ${each.code}`)).toEqual([
      'a.yaml:3 app_config_invalid_yaml',
      'b.yaml:1 app_mcp_port_missing',
      'b.yaml:1 app_id_mismatch',
    ]);
  });

  test('reports syntax errors on different lines together', () => {
    const refusal = refusalOf(compile('a: b: c\nd: |x\n e\nf: @g\n'));
    expect(refusal.diagnostics.map((each) => each.line)).toEqual([1, 2, 4]);
  });

  test('counts findings beyond the limit without storing them', () => {
    const refusal = refusalOf(
      compile(
        withServers(
          '',
          Array.from({ length: 5_000 }, (_, i) => `s${i}.t`),
        ),
      ),
    );
    expect(refusal.counts.error).toBe(5_000);
    expect(refusal.diagnostics).toHaveLength(200);
  });

  test('warns about unknown keys at every level and suggests the correct name', () => {
    const result = compile(`${AGENT}  moodel: x
mcp_registry:
  catalogue: {}
  servers:
    g: {type: remote, url: http://g, timeout: 5, x-note: mine}
`);
    expect(result.diagnostics.map((each) => [each.path, each.hint])).toEqual([
      ['agents.moodel', "did you mean 'model'?"],
      ['mcp_registry.catalogue', "did you mean 'catalog'?"],
      ['mcp_registry.servers.g.timeout', "did you mean 'timeout_ms'?"],
    ]);
    expect(compileManifest('app_id: a\nmcp: {port: 1, prot: 2}\n').diagnostics).toMatchObject([
      {
        path: 'apps/a/app.runtime.yaml:mcp.prot',
        file: 'apps/a/app.runtime.yaml',
        line: 2,
        hint: "did you mean 'port'?",
      },
    ]);
  });

  test('shows no pasted secret in any diagnostic', () => {
    const secret = 'ctx7sk-live-abc123';
    const workspaces = [
      withServer(`type: remote\nurl: http://g\nheaders:\n  A: "{env:${secret}}"\n  B: [${secret}]`),
      withServer(`type: remote\nurl: ftp://user:${secret}@host`),
      withServer(`type: remot\nheaders: {A: {x: ${secret}}}`),
      `${AGENT}api_key: ${secret}\n${EMPTY_REGISTRY}`,
      `${AGENT}mcp_registry:\n  headers:\n    Authorization: "${secret}\n`,
    ];
    for (const workspace of workspaces) {
      const { diagnostics } = compile(workspace);
      expect(diagnostics.length).toBeGreaterThan(0);
      expect(JSON.stringify(diagnostics)).not.toContain(secret);
    }
  });

  test('every code and every alias is declared', () => {
    for (const [code, { alias, remedy }] of Object.entries(DIAGNOSTIC_CODES)) {
      expect(ERROR_CODES).toHaveProperty(code);
      if (alias) expect(ERROR_CODES).toHaveProperty(alias);
      expect(remedy).toMatch(/\.$/);
    }
  });
});

describe('rendering for a terminal', () => {
  test('shows the position of a diagnostic', () => {
    const [first] = compile(withServer('type: stdio')).diagnostics;
    expect(first && renderDiagnostic(first).split('\n')).toEqual([
      'workspace.yaml:7:13 error workspace_mcp_server_invalid',
      "  server type must be 'local' or 'remote' (mcp_registry.servers.g.type)",
      '  |       type: stdio',
      '  |             ^',
      "  use 'local'",
    ]);
  });
});

describe('suggestions', () => {
  test.each([
    ['mcp_registery', 'mcp_registry'],
    ['APPLICATIONS', 'applications'],
    ['tpye', 'type'],
    ['zzz', undefined],
    ['x'.repeat(100), undefined],
  ])('%s → %s', (name, meant) => {
    expect(nearest(name, ['mcp_registry', 'applications', 'type'])).toBe(meant);
  });
});

describe('source lines', () => {
  test.each([
    ['  Authorization: Bearer abc', false, '  Authorization: ***'],
    ['  A: abc', true, '  A: ***'],
    ['  A: "{env:TOKEN}"', true, '  A: "{env:TOKEN}"'],
    ['    - secret value', true, '***'],
    ['  url: https://user:pass@host/x', false, '  url: https://***@host/x'],
    ['  id: plain', false, '  id: plain'],
    ['  command: [npx, --with, ghp_0123456789abc]', false, '  command: [npx, --with, ***]'],
    ['    key: 5', false, '    key: 5'],
    ['    api_key: true # wrong', false, '    api_key: true # wrong'],
    ['    token: 123456', false, '    token: ***'],
    ['  max_tokens: 400000 # for all stages', false, '  max_tokens: 400000 # for all stages'],
    ['budgets: {max_tokens: -40000, x_token: 123456}', false, 'budgets: {max_tokens: -40000, x_token: ***}'],
    ['  max_tokens: "400000"', false, '  max_tokens: "400000"'],
    ['budgets: { max_tokens: 12abc }', false, 'budgets: { max_tokens: 12abc }'],
    ['  max_tokens: 1234567890123abc', false, '  max_tokens: ***'],
    ['  max_tokens: sk4711', false, '  max_tokens: ***'],
    ['    password: [abc, def]', false, '    password: ***'],
    ['    headers: {}', true, '    headers: {}'],
    ['  - {key: abc, provider: 5}', false, '  - {key: ***, provider: 5}'],
    ['  auth: {token: "a, b", url: x}', false, '  auth: {token: ***, url: x}'],
    ['  - {A: abc, B: 5}', true, '  - {A: ***, B: 5}'],
    ['a\u0000b', false, 'a\u{fffd}b'],
  ])('masks secrets in %j', (line, secret, masked) => {
    expect(maskedLine(line, secret)).toBe(masked);
  });

  test('truncates a long line', () => {
    expect(maskedLine('x'.repeat(10_000), false)).toHaveLength(201);
  });
});
