import type { Problem } from '@reins/contracts';
import type { Skill } from './quoted.ts';

/** What a skill's invocation opened. */
export interface PolicyWidening {
  readonly scope: 'run';
  readonly managed_tools: readonly string[];
  /** Opened by this invocation and not before it. */
  readonly granted_tools: readonly string[];
  readonly active_granted_tools: readonly string[];
  readonly managed_commands: readonly string[];
  readonly granted_commands: readonly string[];
  readonly active_granted_commands: readonly string[];
}

/** The gates of a run and which of them are open. */
export interface SkillPolicy {
  /** Gated tool → the skills that grant it. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  readonly commands: ReadonlyMap<string, readonly string[]>;
  readonly openTools: ReadonlySet<string>;
  readonly openCommands: ReadonlySet<string>;
}

/** Whether a tool id fits one of the workspace's gated tools; `github.*` stands for all tools of a server. */
export function isGated(toolId: string, gatedTools: readonly string[]): boolean {
  return gatedTools.some((gate) => (gate.endsWith('*') ? toolId.startsWith(gate.slice(0, -1)) : toolId === gate));
}

/**
 * The gates at the start of a run. Only what the workspace itself gates is gated: a skill can ask for a gate to be opened, it cannot
 * close anything.
 */
export function skillPolicy(
  skills: readonly Skill[],
  gated: { readonly tools: readonly string[]; readonly commands?: readonly string[] },
): SkillPolicy {
  const commands = gated.commands ?? [];
  return {
    tools: grantors(skills, (skill) => skill.grants.tools.filter((id) => id !== 'skill' && isGated(id, gated.tools))),
    commands: grantors(skills, (skill) => skill.grants.commands.filter((id) => isGated(id, commands))),
    openTools: new Set(),
    openCommands: new Set(),
  };
}

function grantors(
  skills: readonly Skill[],
  grantsOf: (skill: Skill) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const byId = new Map<string, string[]>();
  for (const skill of skills) {
    for (const id of grantsOf(skill)) byId.set(id, [...(byId.get(id) ?? []), skill.id]);
  }
  return byId;
}

/** The gates after a skill was invoked, with what that opened. What is open stays open for the run. */
export function invokeSkill(
  policy: SkillPolicy,
  skill: Skill,
): { readonly policy: SkillPolicy; readonly widening: PolicyWidening } {
  const grantedTools = newlyOpen(policy.tools, policy.openTools, skill.id);
  const grantedCommands = newlyOpen(policy.commands, policy.openCommands, skill.id);
  const next: SkillPolicy = {
    ...policy,
    openTools: new Set([...policy.openTools, ...grantedTools]),
    openCommands: new Set([...policy.openCommands, ...grantedCommands]),
  };
  return {
    policy: next,
    widening: {
      scope: 'run',
      managed_tools: [...policy.tools.keys()].sort(),
      granted_tools: grantedTools,
      active_granted_tools: [...next.openTools].sort(),
      managed_commands: [...policy.commands.keys()].sort(),
      granted_commands: grantedCommands,
      active_granted_commands: [...next.openCommands].sort(),
    },
  };
}

function newlyOpen(
  gates: ReadonlyMap<string, readonly string[]>,
  open: ReadonlySet<string>,
  skillId: string,
): readonly string[] {
  return [...gates]
    .filter(([id, skills]) => skills.includes(skillId) && !open.has(id))
    .map(([id]) => id)
    .sort();
}

/** The gated tools that these skills open: a user who quotes a skill grants what it asks for. */
export function toolsOpenedBy(quoted: readonly Skill[], gatedTools: readonly string[]): readonly string[] {
  const start = skillPolicy(quoted, { tools: gatedTools });
  const { openTools } = quoted.reduce((policy, skill) => invokeSkill(policy, skill).policy, start);
  return [...openTools].sort();
}

/** Why a tool may not be called yet, or nothing where it may. */
export function skillDenial(policy: SkillPolicy, toolId: string): string | undefined {
  const skills = policy.tools.get(toolId);
  if (skills === undefined || policy.openTools.has(toolId)) return undefined;
  return `permission denied by skill policy: tool "${toolId}" is gated and must be widened by invoking one of: ${skills.join(', ')}`;
}

/** Says which grants of a skill do nothing, because nobody closed what they would open. */
export function unusedGrants(skills: readonly Skill[], gatedTools: readonly string[]): readonly Problem[] {
  return skills.flatMap((skill) =>
    skill.grants.tools
      .filter((id) => id !== 'skill' && !isGated(id, gatedTools))
      .map((id) => ({
        code: 'skill_gates_unlisted_tool' as const,
        message: `skill '${skill.id}' grants '${id}', which the workspace does not gate`,
        path: skill.location,
        hint: `list '${id}' under gated_tools, or remove the grant`,
      })),
  );
}
