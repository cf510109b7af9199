import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { McpPlan } from '../plan.ts';
import { appMcpServerPayload } from './apps.ts';
import { encodeWorkspaceCatalog, workspaceCatalogFingerprint } from './catalog.ts';
import { mergeMcpServerPayloads } from './merge.ts';
import { effectiveMcpServerPayloads, type McpServerPayload, resolveFromEnvironment } from './payloads.ts';
import { mcpServerIdMap, mcpServerMappingMetadata } from './server-ids.ts';

const ECHO = { tool_id: 'workspace.echo', tool_name: 'echo', module_path: 'tools.echo', symbol_name: 'echo' };
const server = (server_id: string, type: 'local' | 'remote' = 'remote'): McpPlan['resolved_mcp_servers'][number] => ({
  server_id,
  type,
  command: type === 'local' ? ['run', server_id] : [],
  url: type === 'remote' ? `https://${server_id}.example/mcp` : null,
  headers: [],
  environment: [],
  timeout_ms: 10_000,
});
const PLAN: McpPlan = {
  resolved_mcp_servers: [server('g'), server('workspace', 'local')],
  workspace_mcp_catalog: [ECHO],
};
const remote = (name: string, url = name): McpServerPayload => ({
  name,
  config: { type: 'remote', enabled: true, url, headers: {}, timeout: 10_000 },
});

describe('prepared MCP servers', () => {
  test('the workspace server gets a stable physical id, and others keep their ids', () => {
    const map = mcpServerIdMap(PLAN, 'ws-1', 'sandbox-1');
    expect(map).toEqual({ g: 'g', workspace: expect.stringMatching(/^workspace__[0-9a-f]{16}$/) });
    expect(mcpServerIdMap(PLAN, 'ws-1', 'sandbox-1')).toEqual(map);
    expect(mcpServerIdMap(PLAN, 'ws-2', 'sandbox-1')).not.toEqual(map);
    expect(mcpServerIdMap(PLAN, 'ws-1', 'sandbox-2')).not.toEqual(map);
  });

  test('equal plans have equal catalog fingerprints', () => {
    expect(workspaceCatalogFingerprint(structuredClone(PLAN))).toBe(workspaceCatalogFingerprint(PLAN));
    expect(workspaceCatalogFingerprint({ ...PLAN, workspace_mcp_catalog: [] })).not.toBe(
      workspaceCatalogFingerprint(PLAN),
    );
  });

  test('an encoded catalog contains the four fields', () => {
    const decoded: unknown = JSON.parse(Buffer.from(encodeWorkspaceCatalog([ECHO]), 'base64').toString('utf8'));
    expect(decoded).toEqual([ECHO]);
  });

  test('a local server has its package, and the others have none', () => {
    const notes = { registry: 'npm', name: 'notes', version: '1.2.3' } as const;
    const plan = {
      ...PLAN,
      resolved_mcp_servers: [server('notes', 'local'), server('constructor', 'local')],
      extensions: { server_packages: { notes } },
    };
    const payloads = effectiveMcpServerPayloads(plan, null, null, resolveFromEnvironment({}));
    expect(payloads.map(({ config }) => (config.type === 'local' ? config.package : null))).toEqual([notes, undefined]);
    expect(payloads[1]?.config).not.toHaveProperty('package');
  });

  test('the metadata contains only changed ids', () => {
    expect(mcpServerMappingMetadata({ g: 'g', workspace: 'workspace__1' })).toEqual([
      { logical_id: 'workspace', physical_id: 'workspace__1' },
    ]);
  });

  test('the sidecar replaces the workspace server, with a refresh unless it was reused', () => {
    const map = { workspace: 'workspace__1' };
    const sidecar = {
      physical_server_id: 'workspace__1',
      url: 'http://127.0.0.1:4567/mcp',
      timeout_ms: 5,
      reused: false,
    };
    const payloads = effectiveMcpServerPayloads(PLAN, sidecar, map, resolveFromEnvironment({}));
    expect(payloads.map((payload) => payload.name)).toEqual(['g', 'workspace__1']);
    expect(payloads[1]).toMatchObject({ config: { type: 'remote', timeout: 5 }, _holaboss_force_refresh: true });
    const reused = effectiveMcpServerPayloads(PLAN, { ...sidecar, reused: true }, map, resolveFromEnvironment({}));
    expect(reused[1]?._holaboss_force_refresh).toBe(false);
  });

  test('a later payload replaces an earlier one of the same name at its position', () => {
    const merged = mergeMcpServerPayloads([remote('a'), remote('b'), remote('c')], [remote('b', 'new')]);
    expect(merged).toEqual([remote('a'), { ...remote('b', 'new'), _holaboss_force_refresh: true }, remote('c')]);
  });

  test('the server of an application gets the four headers of its caller', () => {
    const app = {
      app_id: 'poster',
      mcp: { transport: 'http-sse', port: 3099, path: '/mcp' },
      health_check: { target: 'mcp' as const, path: '/health', timeout_s: 60, interval_s: 5 },
      env_contract: [],
      start_command: '',
      base_dir: 'apps/poster',
      lifecycle: { setup: '', start: '', stop: '' },
    };
    expect(appMcpServerPayload(app, 13_100, { workspaceId: 'w', sessionId: 's', inputId: 'i' })).toEqual({
      name: 'poster',
      config: {
        type: 'remote',
        enabled: true,
        url: 'http://localhost:13100/mcp',
        headers: {
          'X-Workspace-Id': 'w',
          'X-Holaboss-Workspace-Id': 'w',
          'X-Holaboss-Session-Id': 's',
          'X-Holaboss-Input-Id': 'i',
        },
        timeout: 60_000,
      },
    });
  });

  const payload = fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('u1', 'u2'))
    .map(([name, url]) => remote(name, url));

  test('property: a merge has unique names, the base first, and the values of the override', () => {
    fc.assert(
      fc.property(fc.array(payload), fc.array(payload), (base, override) => {
        const merged = mergeMcpServerPayloads(base, override);
        const names = merged.map((item) => item.name);
        expect(names).toEqual([...new Set([...base, ...override].map((item) => item.name))]);
        for (const item of override) {
          const last = override.findLast((other) => other.name === item.name);
          expect(merged.find((other) => other.name === item.name)?.config).toEqual(last?.config);
        }
      }),
    );
  });

  test('property: merging the same payloads again does not change the configuration', () => {
    fc.assert(
      fc.property(fc.array(payload), fc.array(payload), (base, override) => {
        const once = mergeMcpServerPayloads(base, override);
        expect(mergeMcpServerPayloads(once, override).map((item) => item.config)).toEqual(
          once.map((item) => item.config),
        );
      }),
    );
  });
});
