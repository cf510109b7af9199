import { DEFAULT_AGENT, ReinsError } from '@reins/contracts';
import type {
  CompiledWorkspaceInventory,
  CompiledWorkspaceRuntimePlan,
  PlanExtensions,
  PlanMember,
  PlanRuntimeProfile,
} from './plan.ts';

/** The agents of a plan; the first one is the default agent. */
export function agentsOf({
  general_config: config,
}: CompiledWorkspaceRuntimePlan): readonly [PlanMember, ...PlanMember[]] {
  return config.type === 'team' ? [config.coordinator, ...config.members] : [config.agent];
}

/**
 * Finds an agent by its id.
 * @param agents the first one is the default agent
 * @param agentId `main` is the default agent, unless an agent has that id
 * @throws ReinsError `agent_unknown`
 */
export function findAgent<T extends { readonly id: string }>(agents: readonly [T, ...T[]], agentId: string): T {
  const found = agents.find(({ id }) => id === agentId);
  if (found) return found;
  if (agentId === DEFAULT_AGENT) return agents[0];
  throw new ReinsError({
    code: 'agent_unknown',
    message: `the workspace has no agent '${agentId}'`,
    path: 'agentId',
    hint: `Use one of: ${agents.map(({ id }) => id).join(', ')}.`,
  });
}

/**
 * The part of a plan that counts for one agent: its model, prompt, tools, skills and runtime. An agent of an inventory
 * works with its subagents. In workspace.yaml the default agent works with the whole team.
 * @throws ReinsError `agent_unknown`
 */
export function planOfAgent(plan: CompiledWorkspaceRuntimePlan, agentId: string): CompiledWorkspaceRuntimePlan {
  const agent = findAgent(agentsOf(plan), agentId);
  const { extensions } = plan;
  const inventory = extensions?.inventory;
  if (extensions && inventory)
    return { ...plan, ...configOf(plan, agent, inventory), extensions: extensionsOf(extensions, inventory, agent) };
  return agent === agentsOf(plan)[0] ? plan : { ...plan, ...single(agent) };
}

type Config = Pick<CompiledWorkspaceRuntimePlan, 'mode' | 'general_config'>;

const single = (agent: PlanMember): Config => ({ mode: 'single', general_config: { type: 'single', agent } });

function configOf(
  plan: CompiledWorkspaceRuntimePlan,
  agent: PlanMember,
  inventory: CompiledWorkspaceInventory,
): Config {
  const names = withSubagents(inventory, agent.id);
  const members = agentsOf(plan).filter((member) => member !== agent && names.has(member.id));
  return members.length === 0
    ? single(agent)
    : { mode: 'team', general_config: { type: 'team', coordinator: agent, members } };
}

/** The agent, its subagents, and theirs. */
function withSubagents({ agents }: CompiledWorkspaceInventory, name: string): ReadonlySet<string> {
  const names = new Set([name]);
  // A set iterates over members that are added meanwhile.
  for (const each of names)
    for (const subagent of agents.find((agent) => agent.name === each)?.subagents ?? []) names.add(subagent);
  return names;
}

function extensionsOf(
  extensions: PlanExtensions,
  inventory: CompiledWorkspaceInventory,
  { id }: PlanMember,
): PlanExtensions {
  const names = withSubagents(inventory, id);
  const agents = inventory.agents.filter(({ name }) => names.has(name));
  const { runtime_profile: _, ...rest } = extensions;
  const profile = profileOf(extensions, inventory, id);
  return { ...rest, inventory: { ...inventory, agents }, ...(profile && { runtime_profile: profile }) };
}

function profileOf(
  { runtime_profile: profile }: PlanExtensions,
  { agents, runtime }: CompiledWorkspaceInventory,
  id: string,
): PlanRuntimeProfile | undefined {
  const runtimeId = runtime.default_runtime ?? agents.find(({ name }) => name === id)?.backend ?? undefined;
  if (runtimeId === undefined && Object.keys(profile?.stages ?? {}).length === 0) return undefined;
  return { ...(runtimeId !== undefined && { default: runtimeId }), stages: profile?.stages ?? {} };
}
