import { describe, expect, it, test } from '@jest/globals';
import { HARNESS } from '../testing/inputs.ts';
import { mcpCallableName, mcpToolAliases } from './callable-names.ts';
import { DEFAULT_TOOLS } from './definitions.ts';
import { capabilityManifest } from './manifest.ts';
import { mcpToolPolicy } from './mcp-policy.ts';
import type { CapabilitySurface } from './types.ts';

const LOOKUP = { tool_id: 'workspace.lookup', server_id: 'workspace', tool_name: 'lookup' };

function surface(overrides: Partial<CapabilitySurface> = {}): CapabilitySurface {
  return {
    runtimeId: 'pi',
    sessionKind: 'workspace_session',
    harness: HARNESS,
    defaultTools: DEFAULT_TOOLS,
    extraTools: [],
    browserAvailable: false,
    browserToolIds: [],
    runtimeToolIds: [],
    workspaceCommandIds: [],
    workspaceSkillIds: [],
    mcpToolRefs: [LOOKUP],
    mcpServers: [{ logical: 'workspace', physical: 'workspace' }],
    mcpAnnotations: {},
    ...overrides,
  };
}

const BROWSER = { browserAvailable: true, browserToolIds: ['browser_click', 'browser_get_state'] };

describe('capability manifest', () => {
  test('classifies tools by policy and includes the MCP tool in the map', () => {
    const manifest = capabilityManifest(surface());
    expect(manifest.inspect).toEqual(expect.arrayContaining(['read', 'workspace.lookup']));
    expect(manifest.mutate).toEqual(expect.arrayContaining(['edit', 'bash']));
    expect(manifest.coordinate).toEqual(expect.arrayContaining(['question', 'skill']));
    expect(manifest.tools).toHaveProperty('mcp__workspace__lookup', true);
  });

  test('uses the mapped server id in the callable name', () => {
    const mapped = surface({
      mcpToolRefs: [{ ...LOOKUP, server_id: 'workspace__sandbox123' }],
      mcpServers: [{ logical: 'workspace', physical: 'workspace__sandbox123' }],
    });
    expect(capabilityManifest(mapped).mcp_tool_aliases).toEqual([
      {
        tool_id: 'workspace.lookup',
        server_id: 'workspace__sandbox123',
        tool_name: 'lookup',
        callable_name: 'mcp__workspace_sandbox123__lookup',
      },
    ]);
  });

  test('offers browser tools only with an available browser, and never for onboarding', () => {
    expect(capabilityManifest(surface(BROWSER)).browser_tools).toEqual(['browser_click', 'browser_get_state']);
    expect(capabilityManifest(surface({ ...BROWSER, browserAvailable: false })).browser_tools).toEqual([]);
    const onboarding = capabilityManifest(surface({ ...BROWSER, sessionKind: 'onboarding' }));
    expect(onboarding.browser_tools).toEqual([]);
    expect(onboarding.capabilities.find((item) => item.id === 'browser_click')?.unavailable_reason).toBe(
      'session_kind_not_allowed',
    );
    const noBrowser = surface({ ...BROWSER, harness: { ...HARNESS, browserTools: false } });
    expect(capabilityManifest(noBrowser).browser_tools).toEqual([]);
  });

  test('has a fingerprint of 64 hex digits that is equal for equal surfaces', () => {
    const { fingerprint } = capabilityManifest(surface());
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(capabilityManifest(structuredClone(surface())).fingerprint).toBe(fingerprint);
    expect(capabilityManifest(surface({ extraTools: ['web_search'] })).fingerprint).not.toBe(fingerprint);
  });

  it('has the same fingerprint for different physical ids', () => {
    const mapped = surface({
      mcpToolRefs: [{ ...LOOKUP, server_id: 'workspace__0123' }],
      mcpServers: [{ logical: 'workspace', physical: 'workspace__0123' }],
    });
    expect(capabilityManifest(mapped).fingerprint).toBe(capabilityManifest(surface()).fingerprint);
  });

  test('omits unknown runtime tool ids', () => {
    const manifest = capabilityManifest(surface({ runtimeToolIds: ['write_report', 'made_up'] }));
    expect(manifest.runtime_tools).toEqual(['write_report']);
    expect(manifest.tools).not.toHaveProperty('made_up');
  });

  it('omits tools that the harness does not have', () => {
    const harness = { ...HARNESS, builtinTools: ['read', 'write', 'edit', 'list'] };
    const manifest = capabilityManifest(surface({ harness, workspaceSkillIds: ['sales_policy'] }));
    expect(manifest.builtin_tools).toEqual(['read', 'edit', 'write', 'list']);
    expect(manifest.coordinate).toEqual([]);
    expect(manifest.tools).toHaveProperty('mcp__workspace__lookup');
    expect(manifest.capabilities.find((item) => item.id === 'question')?.unavailable_reason).toBe(
      'harness_not_allowed',
    );
  });

  test('denies bash to an onboarding session', () => {
    const manifest = capabilityManifest(surface({ sessionKind: 'onboarding' }));
    expect(manifest.tools).not.toHaveProperty('bash');
    expect(manifest.tools).toHaveProperty('read');
  });

  it('adds read and skill when there are skills', () => {
    const manifest = capabilityManifest(surface({ defaultTools: [], workspaceSkillIds: ['sales_policy'] }));
    expect(manifest.builtin_tools).toEqual(['read', 'skill']);
    expect(manifest.skills).toEqual(['sales_policy']);
    expect(manifest.tools).not.toHaveProperty('skill:sales_policy');
  });

  test('discovers the tools of a server that has no tool references, and names only those of other servers', () => {
    const manifest = capabilityManifest(
      surface({
        mcpServers: [
          { logical: 'workspace', physical: 'workspace' },
          { logical: 'gh', physical: 'gh' },
        ],
      }),
    );
    expect(manifest.discovered_mcp_servers).toEqual(['gh']);
    expect(Object.keys(manifest.tools).filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__workspace__lookup']);
  });

  it('omits MCP for a harness without MCP support', () => {
    const manifest = capabilityManifest(surface({ harness: { ...HARNESS, mcpTools: false } }));
    expect(manifest.context.mcp_tools_available).toBe(false);
    expect(manifest.mcp_tools).toEqual([]);
    expect(manifest.tools).not.toHaveProperty('mcp__workspace__lookup');
  });
});

describe('names and policies of MCP tools', () => {
  it('builds unique callable names of letters, digits and underscores', () => {
    expect(mcpCallableName('GitHub.com', 'Create-Issue!')).toBe('mcp__github_com__create_issue');
    expect(mcpCallableName('…', '…')).toBe('mcp__tool__tool');
    const refs = ['a-b', 'a_b', 'a.b'].map((tool_name) => ({ tool_id: `s.${tool_name}`, server_id: 's', tool_name }));
    expect(mcpToolAliases(refs).map((alias) => alias.callable_name)).toEqual([
      'mcp__s__a_b',
      'mcp__s__a_b_2',
      'mcp__s__a_b_3',
    ]);
  });

  it('uses the annotations, then the verb of the tool, but never the name of the server', () => {
    expect(mcpToolPolicy('delete_all', { readOnlyHint: true })).toBe('inspect');
    expect(mcpToolPolicy('get_issue', { destructiveHint: true })).toBe('mutate');
    expect(mcpToolPolicy('getIssue')).toBe('inspect');
    expect(mcpToolPolicy('create_post')).toBe('mutate');
    expect(mcpToolPolicy('frobnicate')).toBe('mutate');
    const poster = { tool_id: 'holaposter.list_drafts', server_id: 'holaposter', tool_name: 'list_drafts' };
    expect(capabilityManifest(surface({ mcpToolRefs: [poster] })).inspect).toContain('holaposter.list_drafts');
  });
});
