import type { CompiledWorkspaceRuntimePlan, PlanMember } from '@reins/workspace-plan';

export type {
  CatalogTool,
  CompiledWorkspaceRuntimePlan,
  McpToolRef,
  PlanMember,
  ResolvedApplicationRuntime,
  ResolvedMcpServer,
} from '@reins/workspace-plan';

/** What the MCP part of preparation reads of a plan. */
export type McpPlan = Pick<CompiledWorkspaceRuntimePlan, 'resolved_mcp_servers' | 'workspace_mcp_catalog'>;

/** The agent that answers for a workspace: its only one, or the coordinator of its team. */
export function leadAgent(plan: CompiledWorkspaceRuntimePlan): PlanMember {
  const config = plan.general_config;
  return config.type === 'team' ? config.coordinator : config.agent;
}

/** Whom the lead agent coordinates; nobody where it is the only one. */
export function teamMembers(plan: CompiledWorkspaceRuntimePlan): readonly PlanMember[] {
  return plan.general_config.type === 'team' ? plan.general_config.members : [];
}
