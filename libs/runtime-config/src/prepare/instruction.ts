import { ReinsError } from '@reins/contracts';
import { offeredName, type ToolNames } from '../capability/prompt-names.ts';
import { GRANTED_TOOLS } from '../prompt/texts/capabilities.ts';
import { REQUEST_HEADING } from '../prompt/texts/stages.ts';
import { commandBlock, findCommand } from '../skills/commands.ts';
import { toolsOpenedBy } from '../skills/policy.ts';
import {
  type CommandOf,
  expandQuotedSkills,
  extractQuotedSkills,
  findQuotedSkill,
  type Skill,
} from '../skills/quoted.ts';
import { stageMarker } from '../stages.ts';
import type { PrepareStageInput } from './input.ts';

/** The instruction of a stage for its executor. */
export interface StageInstruction {
  readonly text: string;
  readonly quotedSkillIds: readonly string[];
  /** Ids of gated tools that the quoted skills grant. */
  readonly grantedTools: readonly string[];
}

const EMPTY_INSTRUCTION = 'Review what is attached.';

/**
 * Builds the instruction: the stage marker, the quoted skills, the granted tools, and the user's message with the texts
 * of its commands.
 * @param names the names under which the model is offered its tools
 */
export function stageInstruction(input: PrepareStageInput, names: ToolNames): StageInstruction {
  const skills = input.surfaces?.skills ?? [];
  const { ids, commands, body } = extractQuotedSkills(input.instruction, commandOf(input, skills));
  const quoted = expandQuotedSkills(ids, skills);
  const grantedTools = toolsOpenedBy(quoted.found, input.plan.extensions?.gated_tools ?? []);
  const granted =
    grantedTools.length === 0 ? '' : `${GRANTED_TOOLS} ${grantedTools.map((id) => offeredName(id, names)).join(', ')}`;
  const message =
    input.instruction.trim() === '' ? EMPTY_INSTRUCTION : [...commands.map(commandBlock), body].join('\n\n').trim();
  const heading = message === '' ? '' : REQUEST_HEADING[input.stage];
  const parts = [stageMarker(input.stage, input.iteration), ...quoted.sections, granted, heading, message];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    quotedSkillIds: quoted.found.map((skill) => skill.id),
    grantedTools,
  };
}

/** Finds the commands of the workspace. A skill of the same name takes precedence. */
function commandOf({ surfaces }: PrepareStageInput, skills: readonly Skill[]): CommandOf {
  const commands = surfaces?.invokedCommands ?? [];
  return (word) => (findQuotedSkill(word, skills) ? undefined : findCommand(word, commands));
}

/**
 * A message may be empty only when it has attachments.
 * @throws ReinsError `host_request_invalid`
 */
export function requireInstruction(input: PrepareStageInput): void {
  if (input.instruction.trim() !== '' || (input.attachments ?? []).length > 0) return;
  throw new ReinsError({
    code: 'host_request_invalid',
    message: 'instruction is required',
    path: 'instruction',
    hint: 'Write an instruction, or attach a file.',
  });
}
