import type { Problem } from '@reins/contracts';
import type { Skill } from './quoted.ts';

/** The effect of invoking a skill. */
export interface PolicyWidening {
  readonly scope: 'run';
  readonly managed_tools: readonly string[];
  /** Opened by this invocation, and not before. */
  readonly granted_tools: readonly string[];
  readonly active_granted_tools: readonly string[];
  readonly managed_commands: readonly string[];
  readonly granted_commands: readonly string[];
  readonly active_granted_commands: readonly string[];
}

/** The gated tools and commands of a run, and which of them are open. */
export interface SkillPolicy {
  /** Gated tool → ids of the skills that grant it. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
  readonly commands: ReadonlyMap<string, readonly string[]>;
  readonly openTools: ReadonlySet<string>;
  readonly openCommands: ReadonlySet<string>;
}

/** Whether a tool id matches a gated tool of the workspace. `github.*` matches all tools of a server. */
export function isGated(toolId: string, gatedTools: readonly string[]): boolean {
  return gatedTools.some((gate) => (gate.endsWith('*') ? toolId.startsWith(gate.slice(0, -1)) : toolId === gate));
}

/**
 * The policy at the start of a run. Only the workspace gates tools: a skill can request to open a gate, but not to
 * close one.
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

/** Invokes a skill, and returns the new policy and what was opened. Opened tools stay open for the run. */
export function invokeSkill(
  policy: SkillPolicy,
  skill: Skill,
): { readonly policy: SkillPolicy; readonly widening: PolicyWidening } {
  const grantedTools = newlyOpen(policy.tools, policy.openTools, skill.id);
  const grantedCommands = newlyOpen(policy.commands, policy.openCommands, skill.id);
  const updated: SkillPolicy = {
    ...policy,
    openTools: new Set([...policy.openTools, ...grantedTools]),
    openCommands: new Set([...policy.openCommands, ...grantedCommands]),
  };
  return {
    policy: updated,
    widening: {
      scope: 'run',
      managed_tools: [...policy.tools.keys()].sort(),
      granted_tools: grantedTools,
      active_granted_tools: [...updated.openTools].sort(),
      managed_commands: [...policy.commands.keys()].sort(),
      granted_commands: grantedCommands,
      active_granted_commands: [...updated.openCommands].sort(),
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

/** The gated tools that the quoted skills open. By quoting a skill, the user grants what it requests. */
export function toolsOpenedBy(quoted: readonly Skill[], gatedTools: readonly string[]): readonly string[] {
  const start = skillPolicy(quoted, { tools: gatedTools });
  const { openTools } = quoted.reduce((policy, skill) => invokeSkill(policy, skill).policy, start);
  return [...openTools].sort();
}

/** Warns about grants that have no effect, because the workspace does not gate the tool. */
export function unusedGrants(skills: readonly Skill[], gatedTools: readonly string[]): readonly Problem[] {
  return skills.flatMap((skill) =>
    skill.grants.tools
      .filter((id) => id !== 'skill' && !isGated(id, gatedTools))
      .map((id) => ({
        code: 'skill_gates_unlisted_tool' as const,
        message: `skill '${skill.id}' grants '${id}', which the workspace does not gate`,
        path: skill.location,
        hint: `List '${id}' under gated_tools, or remove the grant.`,
      })),
  );
}
