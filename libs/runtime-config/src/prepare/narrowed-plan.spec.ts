import { describe, expect, test } from '@jest/globals';
import type { CompiledWorkspaceRuntimePlan, McpToolRef } from '../plan.ts';
import { HARNESS, inputOf, planOf } from '../testing/inputs.ts';
import { narrowedPlan } from './narrowed-plan.ts';
import { prepareStage } from './prepare-stage.ts';

const server = (server_id: string) => ({
  server_id,
  type: 'remote' as const,
  command: [],
  url: `https://${server_id}.example`,
  headers: [],
  environment: [],
  timeout_ms: 1000,
});
const ref = (server_id: string, tool_name: string): McpToolRef => ({
  tool_id: `${server_id}.${tool_name}`,
  server_id,
  tool_name,
});

type Extensions = NonNullable<CompiledWorkspaceRuntimePlan['extensions']>;
type Inventory = NonNullable<Extensions['inventory']>;
const tool = (name: string, type: 'mcp' | 'module' | 'builtin', tool_id: string) => ({
  name,
  type,
  tool_id,
  description: null,
  approval: false,
});

/** A plan whose only agent lists these tools of its inventory. */
function planWith(tools: readonly string[]): CompiledWorkspaceRuntimePlan {
  const inventory = {
    agents: [{ name: 'workspace.general', tools }],
    tools: [
      tool('find', 'mcp', 'crm.search'),
      tool('remove', 'mcp', 'crm.delete'),
      tool('mail', 'mcp', 'mail.send'),
      tool('words', 'module', 'workspace.words'),
      tool('reader', 'builtin', 'read'),
      tool('shell', 'builtin', 'bash'),
    ],
  } as unknown as Inventory;
  return planOf({
    resolved_mcp_servers: [server('crm'), server('mail'), server('open')],
    resolved_mcp_tool_refs: [ref('crm', 'search'), ref('crm', 'delete'), ref('mail', 'send')],
    workspace_mcp_catalog: [
      { tool_id: 'workspace.words', tool_name: 'words', module_path: 'tools.words', symbol_name: 'words' },
    ],
    extensions: { inventory, required_servers: ['crm', 'mail'] },
  });
}
const prepare = (tools: readonly string[], sessionKind = 'workspace_session') => {
  const plan = planWith(tools);
  const request = { workspaceId: 'w', sessionId: 's', requestId: 'r', sessionKind };
  return prepareStage(inputOf({ plan, request })).hostRequest;
};
const toolIds = ({ mcp_tool_refs }: ReturnType<typeof prepare>) => mcp_tool_refs.map(({ tool_id }) => tool_id);

describe('the tools of agents', () => {
  test('an agent without a list has every tool', () => {
    const request = prepare([]);
    expect(toolIds(request)).toEqual(['crm.search', 'crm.delete', 'mail.send']);
    expect(request.tools).toMatchObject({ bash: true, write: true });
    const plan = planWith([]);
    expect(narrowedPlan(plan, 'workspace_session')).toBe(plan);
  });

  test('an agent has none of the declared tools that it does not list, and no server without tools', () => {
    const request = prepare(['find']);
    expect(toolIds(request)).toEqual(['crm.search']);
    expect(request.mcp_servers.map(({ name }) => name)).toEqual(['crm', 'open']);
    expect(request.workspace_tools).toBeNull();
    expect(request.required_servers).toEqual(['crm']);
    expect(request.tools).not.toHaveProperty('bash');
    expect(request.tools).toMatchObject({ write: true, mcp__crm__search: true });
    expect(request.system_prompt).not.toMatch(/delete|mail__|bash/);
  });

  test('an agent that lists tools of the runtime has only these, and those of Reins', () => {
    const { tools } = prepare(['reader', 'words']);
    expect(Object.keys(tools).sort()).toEqual(['question', 'read', 'skill', 'todoread', 'todowrite']);
  });
});

describe('an onboarding session', () => {
  test('may only look with tools of servers', () => {
    const request = prepare([], 'onboarding');
    expect(toolIds(request)).toEqual(['crm.search']);
    expect(request.mcp_servers.map(({ name }) => name)).toEqual(['crm', 'open']);
  });

  test('needs a runtime whose own tools can be restricted', () => {
    const request = { workspaceId: 'w', sessionId: 's', requestId: 'r', sessionKind: 'onboarding' };
    const harness = { ...HARNESS, toolSelection: false };
    const run = () => prepareStage(inputOf({ request, harness }));
    expect(run).toThrow(expect.objectContaining({ code: 'harness_unsupported' }));
    const { runtimeConfig } = prepareStage(inputOf({ harness }));
    expect(runtimeConfig.capability_manifest.context.builtin_tools_narrowed).toBe(false);
  });
});
