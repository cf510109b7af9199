import type { InventoryAgent } from '@reins/workspace-plan';
import { type CompiledWorkspaceRuntimePlan, leadAgent, teamMembers } from '../plan.ts';

/** The tools that the agents of a plan may use. */
export interface AgentTools {
  /** Ids of the tools that the workspace declares and none of its agents lists. */
  readonly withheld: ReadonlySet<string>;
  /** The only tools of the executor, if the agents list any. */
  readonly builtin: ReadonlySet<string> | undefined;
}

const UNRESTRICTED: AgentTools = { withheld: new Set(), builtin: undefined };

/** The ids of the skills that the agents of a plan list; undefined if one of them has no list and may use all. */
export function agentSkills(plan: CompiledWorkspaceRuntimePlan): ReadonlySet<string> | undefined {
  const members = membersOf(plan);
  if (members.length === 0 || members.some(({ skills }) => skills.length === 0)) return undefined;
  return new Set(members.flatMap(({ skills }) => skills));
}

function membersOf(plan: CompiledWorkspaceRuntimePlan): readonly InventoryAgent[] {
  const team = new Set([leadAgent(plan), ...teamMembers(plan)].map(({ id }) => id));
  return (plan.extensions?.inventory?.agents ?? []).filter(({ name }) => team.has(name));
}

/**
 * What the `tools` of the agents of an inventory allow. One run does the work of the whole team, so it has the tools of
 * every member. An agent without a list may use everything.
 */
export function agentTools(plan: CompiledWorkspaceRuntimePlan): AgentTools {
  const { tools = [] } = plan.extensions?.inventory ?? {};
  const members = membersOf(plan);
  if (members.length === 0 || members.some((agent) => agent.tools.length === 0)) return UNRESTRICTED;
  const names = new Set(members.flatMap((agent) => agent.tools));
  const listed = tools.filter(({ name }) => names.has(name));
  const builtin = listed.filter(({ type }) => type === 'builtin').map((tool) => tool.tool_id);
  return {
    withheld: new Set(tools.filter(({ name }) => !names.has(name)).map((tool) => tool.tool_id)),
    builtin: builtin.length > 0 ? new Set(builtin) : undefined,
  };
}
