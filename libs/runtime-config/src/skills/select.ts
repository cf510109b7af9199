import type { Problem } from '@reins/contracts';
import { parseSkill, type SkillFile } from './parse.ts';
import type { Skill } from './quoted.ts';

/** The skills of a run, and the problems of invalid skills. */
export interface SelectedSkills {
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
}

/**
 * Selects the skills of a run: those of the runtime by name, then those of the workspace by name. A skill of the
 * runtime takes precedence over one of the workspace with the same id.
 */
export function selectSkills(files: readonly SkillFile[]): SelectedSkills {
  const skills = new Map<string, Skill>();
  const problems: Problem[] = [];
  for (const file of [...files].sort(byOriginAndId)) {
    if (skills.has(file.id)) continue;
    const parsed = parseSkill(file);
    if (parsed.ok) skills.set(file.id, parsed.skill);
    else problems.push(parsed.problem);
  }
  return { skills: [...skills.values()], problems };
}

function byOriginAndId(a: SkillFile, b: SkillFile): number {
  if (a.origin !== b.origin) return a.origin === 'embedded' ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
