import type { CompiledWorkspaceRuntimePlan, PlanMember } from '@reins/workspace-plan';

export type {
  CatalogTool,
  CompiledWorkspaceRuntimePlan,
  McpToolRef,
  PlanMember,
  ResolvedApplicationRuntime,
  ResolvedMcpServer,
  ServerPackage,
} from '@reins/workspace-plan';

/** The parts of a plan that MCP preparation needs. */
export type McpPlan = Pick<
  CompiledWorkspaceRuntimePlan,
  'resolved_mcp_servers' | 'workspace_mcp_catalog' | 'extensions'
>;

/** The agent that handles the requests of a workspace: the only one, or the coordinator of the team. */
export function leadAgent(plan: CompiledWorkspaceRuntimePlan): PlanMember {
  const config = plan.general_config;
  return config.type === 'team' ? config.coordinator : config.agent;
}

/** The members of a team without the coordinator. Empty for a single agent. */
export function teamMembers(plan: CompiledWorkspaceRuntimePlan): readonly PlanMember[] {
  return plan.general_config.type === 'team' ? plan.general_config.members : [];
}
