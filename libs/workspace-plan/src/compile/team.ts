import type { PlanMember } from '../plan.ts';
import { compileAgent, readMember } from './agents.ts';
import type { Scope } from './scope.ts';
import { isMapping, kindOf, ownProperty, type Path } from './values.ts';

/** The agents of a plan: a single agent, or a coordinator with members. */
export interface Agents {
  readonly coordinator: PlanMember;
  /** Undefined for a single agent. */
  readonly members: readonly PlanMember[] | undefined;
}

/**
 * Reads `agents`. A mapping is one agent. A list in which one entry has `coordinator: true` is a team. Any other list
 * is an error, as in the legacy system.
 */
export function compileAgents(scope: Scope): Agents | undefined {
  const agents = ownProperty(scope.root, 'agents');
  if (Array.isArray(agents) && (agents as unknown[]).some(isCoordinator))
    return compileTeam(scope, agents as unknown[]);
  const agent = compileAgent(scope);
  return agent && { coordinator: agent, members: undefined };
}

function isCoordinator(entry: unknown): boolean {
  return isMapping(entry) && ownProperty(entry, 'coordinator') === true;
}

function compileTeam(scope: Scope, entries: readonly unknown[]): Agents | undefined {
  const coordinators = entries.flatMap((entry, index) => (isCoordinator(entry) ? [index] : []));
  for (const index of coordinators.slice(1)) {
    const at = ['agents', index, 'coordinator'];
    refuse(scope, at, 'a team must have exactly one coordinator', 'set coordinator: true for one agent only');
  }
  if (entries.length === 1) {
    const specificHint = 'add an agent, or write the single agent as a mapping';
    refuse(scope, ['agents'], 'a team requires at least one agent in addition to its coordinator', specificHint);
  }
  const agents = entries.map((entry, index) => {
    if (isMapping(entry)) return readMember(scope, entry, ['agents', index], `agents[${index}]`);
    const specificHint = `found ${kindOf(entry)}; write \`- { id: …, model: … }\``;
    refuse(scope, ['agents', index], 'each agent of a team must be a mapping with id and model', specificHint);
    return undefined;
  });
  checkIds(scope, agents);
  const [first = -1] = coordinators;
  const coordinator = agents[first];
  const members = agents.filter((agent): agent is PlanMember => agent !== undefined && agent !== coordinator);
  return coordinator && { coordinator, members };
}

function checkIds(scope: Scope, agents: readonly (PlanMember | undefined)[]): void {
  const seen = new Set<string>();
  for (const [index, agent] of agents.entries()) {
    if (!agent) continue;
    if (seen.has(agent.id)) {
      scope.report.strictError({
        code: 'workspace_team_member_id_duplicate',
        at: ['agents', index, 'id'],
        message: `duplicate agent id '${agent.id}' in the team`,
        legacyHint: 'use a unique id for each agent of the team',
      });
    }
    seen.add(agent.id);
  }
}

function refuse(scope: Scope, at: Path, message: string, specificHint: string): void {
  scope.report.strictError({ code: 'workspace_agent_field_invalid', at, message, specificHint });
}
