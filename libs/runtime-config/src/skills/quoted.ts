import { type InvokedCommand, slashLine, type WorkspaceCommand } from './commands.ts';

/** A skill that a run may use. */
export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Path of its SKILL.md, in the workspace or among the runtime's own skills. */
  readonly location: string;
  /** SKILL.md without its frontmatter. */
  readonly body: string;
  readonly origin: 'embedded' | 'workspace';
  readonly grants: { readonly tools: readonly string[]; readonly commands: readonly string[] };
}

/** An instruction, split into the skills that it quotes, the commands that it invokes, and the rest. */
export interface QuotedInstruction {
  /** The quoted ids in order, without duplicates. */
  readonly ids: readonly string[];
  readonly commands: readonly InvokedCommand[];
  readonly body: string;
}

/** The command for a word after a slash; undefined if no command or a skill has this name. */
export type CommandOf = (word: string) => WorkspaceCommand | undefined;

/**
 * Removes the leading `/skill_id` and `/command words` lines from an instruction. They end at the first other line,
 * optionally after a blank line.
 */
export function extractQuotedSkills(instruction: string, commandOf: CommandOf = () => undefined): QuotedInstruction {
  const lines = instruction.replace(/\r\n?/g, '\n').split('\n');
  const ids = new Set<string>();
  const commands: InvokedCommand[] = [];
  let at = 0;
  for (; at < lines.length; at += 1) {
    const slash = slashLine(lines[at] ?? '');
    if (slash === undefined) break;
    const command = commandOf(slash.id);
    if (command) commands.push({ command, words: slash.words });
    else if (slash.words === '') ids.add(slash.id);
    else break;
  }
  return { ids: [...ids], commands, body: lines.slice(at).join('\n').trim() };
}

/** The quoted skills: their prompt sections, and the ids that were not found. */
export interface QuotedSkills {
  readonly found: readonly Skill[];
  readonly missing: readonly string[];
  readonly sections: readonly string[];
}

/** Looks up quoted ids, by id and then by name, ignoring case. */
export function expandQuotedSkills(ids: readonly string[], skills: readonly Skill[]): QuotedSkills {
  const found: Skill[] = [];
  const missing: string[] = [];
  for (const id of ids) {
    const skill = findQuotedSkill(id, skills);
    if (skill === undefined) missing.push(id);
    else if (!found.includes(skill)) found.push(skill);
  }
  const sections = [
    ...(found.length > 0 ? [['Quoted workspace skills:', ...found.map(skillBlock)].join('\n\n')] : []),
    ...(missing.length > 0 ? [`Quoted workspace skills not found in this workspace: ${missing.join(', ')}`] : []),
  ];
  return { found, missing, sections };
}

/** The skill for a word after a slash. */
export function findQuotedSkill(quote: string, skills: readonly Skill[]): Skill | undefined {
  const wanted = quote.toLowerCase();
  return (
    skills.find((candidate) => candidate.id.toLowerCase() === wanted) ??
    skills.find((candidate) => candidate.name.toLowerCase() === wanted)
  );
}

/** The text of a skill for an executor. */
export function skillBlock(skill: Skill): string {
  const base = skill.location.replace(/\/[^/]*$/, '');
  return [
    `<skill name="${skill.name}" location="${skill.location}">`,
    `References are relative to ${base}.`,
    '',
    skill.body.trim(),
    '</skill>',
  ].join('\n');
}
