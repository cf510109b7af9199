import { agentTools } from '../capability/agent-tools.ts';
import { mcpToolPolicy } from '../capability/mcp-policy.ts';
import type { SessionKind } from '../harness.ts';
import { WORKSPACE_SERVER_ID } from '../mcp/server-ids.ts';
import type { CompiledWorkspaceRuntimePlan } from '../plan.ts';
import { memoizePerPlan } from './memo.ts';

type Allows = (toolId: string, toolName: string) => boolean;

/**
 * The plan with only the MCP tools that its agents and the kind of the session allow: an onboarding session may only
 * look. A server whose named tools are all removed is removed too; otherwise all its tools would be discovered. Returns
 * the plan itself if it allows everything.
 */
export function narrowedPlan(plan: CompiledWorkspaceRuntimePlan, kind: SessionKind): CompiledWorkspaceRuntimePlan {
  return narrow(plan, kind === 'onboarding');
}

const narrow = memoizePerPlan(
  (onlyInspect: boolean) => String(onlyInspect),
  (plan, onlyInspect): CompiledWorkspaceRuntimePlan => {
    const { withheld } = agentTools(plan);
    const allows: Allows = (id, name) => !withheld.has(id) && (!onlyInspect || mcpToolPolicy(name) === 'inspect');
    const named = [...plan.resolved_mcp_tool_refs, ...plan.workspace_mcp_catalog];
    return named.every(({ tool_id, tool_name }) => allows(tool_id, tool_name)) ? plan : without(plan, allows);
  },
);

function without(plan: CompiledWorkspaceRuntimePlan, allows: Allows): CompiledWorkspaceRuntimePlan {
  const refs = plan.resolved_mcp_tool_refs.filter(({ tool_id, tool_name }) => allows(tool_id, tool_name));
  const catalog = plan.workspace_mcp_catalog.filter(({ tool_id, tool_name }) => allows(tool_id, tool_name));
  const named = new Set(plan.resolved_mcp_tool_refs.map(({ server_id }) => server_id));
  const remaining = new Set(refs.map(({ server_id }) => server_id));
  const isRemoved = (id: string): boolean =>
    (named.has(id) && !remaining.has(id)) ||
    (id === WORKSPACE_SERVER_ID && plan.workspace_mcp_catalog.length > 0 && catalog.length === 0);
  const { extensions } = plan;
  const required = extensions?.required_servers?.filter((id) => !isRemoved(id));
  return {
    ...plan,
    resolved_mcp_tool_refs: refs,
    workspace_mcp_catalog: isRemoved(WORKSPACE_SERVER_ID) ? [] : catalog,
    resolved_mcp_servers: plan.resolved_mcp_servers.filter(({ server_id }) => !isRemoved(server_id)),
    resolved_applications: plan.resolved_applications.filter(({ app_id }) => !isRemoved(app_id)),
    ...(extensions && { extensions: { ...extensions, ...(required && { required_servers: required }) } }),
  };
}
