import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { collectReferences } from './index.ts';
import { AGENT, compile, compileManifest, EMPTY_REGISTRY, planOf, withServers } from './testing/workspaces.ts';

const MANIFEST = 'app_id: a\nmcp:\n  port: 3099\n';
const APP = 'applications:\n  - app_id: a\n    config_path: apps/a/app.runtime.yaml\n';

const remote = (name: string): string => `${name}: {type: remote, url: "http://${name}"}`;
const echo = '  catalog:\n    workspace.echo: {module_path: tools.echo, symbol: echo}\n';

describe('acceptance: references and plans', () => {
  test('1: the manifest of an application is a reference', () => {
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

  test('3: without an allowlist, a remote server is kept and there are no tool references', () => {
    const plan = planOf(compile(withServers(remote('g'))));
    expect(plan.resolved_mcp_servers).toMatchObject([{ server_id: 'g', timeout_ms: 10_000 }]);
    expect(plan.resolved_mcp_tool_refs).toEqual([]);
  });

  test('4: without an allowlist, a catalog adds the workspace server', () => {
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

  test('6: a server that is not in the allowlist is kept', () => {
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

  test('11: the single integration keeps its key', () => {
    const [app] = planOf(
      compileManifest(`${MANIFEST}integration: {provider: google, key: mail}\n`),
    ).resolved_applications;
    expect(app?.integrations).toMatchObject([{ key: 'mail', provider: 'google' }]);
  });

  test('12: a credential source is trimmed, in any case', () => {
    const [app] = planOf(
      compileManifest(`${MANIFEST}integrations: [{provider: a, credential_source: ' Manual '}]\n`),
    ).resolved_applications;
    expect(app?.integrations).toMatchObject([{ credentialSource: 'manual' }]);
  });

  test('34: a blank catalog id is skipped', () => {
    const plan = planOf(compile(`${AGENT}${EMPTY_REGISTRY}${echo}    ' ': nothing\n    '': {module_path: 5}\n`));
    expect(plan.workspace_mcp_catalog.map(({ tool_id }) => tool_id)).toEqual(['workspace.echo']);
  });

  test('14: the api health check is used when it is the only one', () => {
    const [app] = planOf(compileManifest(`${MANIFEST}healthchecks: {api: {path: /up}}\n`)).resolved_applications;
    expect(app?.health_check).toEqual({ target: 'api', path: '/up', timeout_s: 60, interval_s: 5 });
  });

  test('35: servers are in the order of the allowlist', () => {
    const plan = planOf(compile(withServers(['a', 'c', 'b'].map(remote).join('\n'), ['b.x', 'a.y'])));
    expect(plan.resolved_mcp_servers.map((server) => server.server_id)).toEqual(['b', 'a', 'c']);
  });

  test('37: an empty allowlist counts as absent', () => {
    expect(planOf(compile(withServers(remote('g'), []))).resolved_mcp_servers).toHaveLength(1);
  });

  test('38: the config checksum covers only the bytes of workspace.yaml', () => {
    const text = AGENT + EMPTY_REGISTRY;
    const sum = (yaml: string, agents = '') => planOf(compile(yaml, { 'AGENTS.md': agents })).config_checksum;
    expect(sum(text)).toBe(createHash('sha256').update(text).digest('hex'));
    expect(sum(text)).toBe(sum(text, 'other instructions'));
    expect(sum(`${text} `)).not.toBe(sum(text));
  });
});
