import { ReinsError } from '@reins/contracts';
import { GRANTED_TOOLS } from '../prompt/texts/capabilities.ts';
import { REQUEST_HEADING } from '../prompt/texts/stages.ts';
import { toolsOpenedBy } from '../skills/policy.ts';
import {
  expandQuotedSkills,
  extractQuotedSkills,
  findQuotedSkill,
  type IsCommand,
  type Skill,
} from '../skills/quoted.ts';
import { stageMarker } from '../stages.ts';
import type { PrepareStageInput } from './input.ts';

/** The instruction of a stage as its executor reads it. */
export interface StageInstruction {
  readonly text: string;
  readonly quotedSkillIds: readonly string[];
  /** Gated tools that the quoted skills open, by tool id. */
  readonly grantedTools: readonly string[];
}

const NO_WORDS = 'Review what is attached.';

/** The user's words under the lines that name stage and iteration, with the skills that they quote in front of them. */
export function stageInstruction(input: PrepareStageInput): StageInstruction {
  const skills = input.surfaces?.skills ?? [];
  const { ids, body } = extractQuotedSkills(input.instruction, isCommandOf(input, skills));
  const quoted = expandQuotedSkills(ids, skills);
  const grantedTools = toolsOpenedBy(quoted.found, input.plan.extensions?.gated_tools ?? []);
  const granted = grantedTools.length === 0 ? '' : `${GRANTED_TOOLS} ${grantedTools.join(', ')}`;
  const words = input.instruction.trim() === '' ? NO_WORDS : body;
  const heading = words === '' ? '' : REQUEST_HEADING[input.stage];
  const parts = [stageMarker(input.stage, input.iteration), ...quoted.sections, granted, heading, words];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    quotedSkillIds: quoted.found.map((skill) => skill.id),
    grantedTools,
  };
}

/** A command of the workspace that the harness is told of; a skill of the same name is what is meant. */
function isCommandOf({ harness, surfaces }: PrepareStageInput, skills: readonly Skill[]): IsCommand {
  const commands = harness.commands ? (surfaces?.commandIds ?? []) : [];
  return (id) =>
    commands.some((command) => command.toLowerCase() === id.toLowerCase()) && findQuotedSkill(id, skills) === undefined;
}

/** A message may be without words only when something came with it. */
export function requireInstruction(input: PrepareStageInput): void {
  if (input.instruction.trim() !== '' || (input.attachments ?? []).length > 0) return;
  throw new ReinsError({
    code: 'host_request_invalid',
    message: 'instruction is required',
    path: 'instruction',
    hint: 'say what is to be done, or attach something',
  });
}
