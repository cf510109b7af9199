import {
  type InvocableSkill,
  invokeSkill,
  type PolicyWidening,
  type Skill,
  type SkillPolicy,
  skillBlock,
  skillPolicy,
  skillText,
} from '@reins/runtime-config';
import type { OwnTool } from './own-tool.ts';

/** What invoking skills needs, and what it affects. */
export interface SkillPorts {
  /** The skills of the run. Their grants are those of the workspace's revision or of the installation. */
  readonly skills: readonly InvocableSkill[];
  readonly gatedTools: readonly string[];
  /** Reads a SKILL.md as it was when the stage started. */
  read(location: string): Promise<string>;
  /** The skill was invoked; the tools that it opened may be called from now on. */
  invoked(skillId: string, widening: PolicyWidening): void;
}

/** Loads a skill and opens the gated tools that it grants. */
export function skillTool({ skills, gatedTools, read, invoked }: SkillPorts): OwnTool {
  let policy: SkillPolicy = skillPolicy(skills.map(withoutBody), { tools: gatedTools });
  return {
    declaration: declarationOf(skills),
    call: async ({ name }) => {
      const skill = skills.find(({ id }) => id.toLowerCase() === String(name).toLowerCase());
      if (!skill) throw new Error(`unknown skill ${String(name)}; the skills are ${listOf(skills)}`);
      const text = skillBlock({ ...withoutBody(skill), body: skillText(await read(skill.location)) });
      const result = invokeSkill(policy, withoutBody(skill));
      policy = result.policy;
      invoked(skill.id, result.widening);
      const { granted_tools: granted } = result.widening;
      const opened = granted.length === 0 ? [] : [`It grants these gated tools: ${granted.join(', ')}.`];
      return {
        content: [text, ...opened].map((part) => ({ type: 'text', text: part })),
        structuredContent: { skill_id: skill.id, policy_widening: { ...result.widening } },
      };
    },
  };
}

function withoutBody({ id, name, description, location, granted_tools, granted_commands }: InvocableSkill): Skill {
  const grants = { tools: granted_tools, commands: granted_commands };
  return { id, name, description, location, body: '', origin: 'workspace', grants };
}

const listOf = (skills: readonly InvocableSkill[]): string => skills.map(({ id }) => id).join(', ') || 'none';

function declarationOf(skills: readonly InvocableSkill[]): OwnTool['declaration'] {
  return {
    name: 'skill',
    description: `Loads a skill: its instructions, and access to the gated tools that it grants. The skills are: ${listOf(skills)}.`,
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'The id of the skill.' } },
      required: ['name'],
    },
    annotations: { readOnlyHint: true },
  };
}
