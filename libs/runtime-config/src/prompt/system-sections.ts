import type { Stage } from '@reins/contracts';
import type { NamedServer } from '../capability/prompt-names.ts';
import type { CapabilityManifest } from '../capability/types.ts';
import type { OutputFormat } from '../output/output-format.ts';
import type { PlanMember } from '../plan.ts';
import { stageLine } from '../stages.ts';
import { capabilityText } from './capability-text.ts';
import type { Precedence, PromptSection, Volatility } from './sections.ts';
import { EXECUTION_POLICY, OUTPUT_FORM, RESPONSE_DELIVERY_POLICY, RUNTIME_CORE } from './texts/base.ts';
import { SESSION_KIND_TEXT } from './texts/session.ts';
import { STAGE_PURPOSE } from './texts/stages.ts';
import { TEAM_TEXT } from './texts/team.ts';

const system = (
  id: string,
  precedence: Precedence,
  priority: number,
  volatility: Volatility,
  content: string,
): PromptSection => ({
  id,
  channel: 'system_prompt',
  apply_at: 'runtime_config',
  precedence,
  priority,
  volatility,
  content,
});

const STABLE_SECTIONS: readonly PromptSection[] = [
  system('runtime_core', 'base_runtime', 100, 'stable', RUNTIME_CORE),
  system('execution_policy', 'base_runtime', 200, 'stable', EXECUTION_POLICY),
  system('response_delivery_policy', 'base_runtime', 250, 'stable', RESPONSE_DELIVERY_POLICY),
];

/** The input of a stage's system prompt. */
export interface SystemPromptInput {
  readonly stage: Stage;
  /** The workspace's instructions for the stage, which replace the built-in ones. */
  readonly stageInstructions: string | undefined;
  readonly agentPrompt: string;
  readonly agentRole: string | null;
  /** The team members that the agent coordinates; empty for a single agent. */
  readonly members: readonly PlanMember[];
  readonly manifest: CapabilityManifest;
  readonly gatedTools: readonly string[];
  /** Every connected server. */
  readonly servers: readonly NamedServer[];
  /** The required format of the output, for executors that do not enforce it. */
  readonly outputFormat: OutputFormat | null;
}

/**
 * The system sections of a stage. All stages of a workspace share every section before `stage_policy`, so that one
 * cached prefix serves the whole pipeline.
 */
export function systemSections(input: SystemPromptInput): readonly PromptSection[] {
  const { manifest } = input;
  const role = input.agentRole === null ? '' : `\nYour role in this workspace: ${input.agentRole}`;
  const session = SESSION_KIND_TEXT[manifest.context.session_kind] ?? '';
  return [
    ...STABLE_SECTIONS,
    system('session_policy', 'session_policy', 300, 'workspace', `${session}${role}`),
    system('capability_policy', 'capability_policy', 400, 'workspace', capabilityText(input)),
    system('team_policy', 'workspace_policy', 550, 'workspace', teamText(input.members)),
    system('workspace_policy', 'workspace_policy', 600, 'workspace', input.agentPrompt),
    system('stage_policy', 'workspace_policy', 700, 'run', stageText(input.stage, input.stageInstructions)),
    system('output_policy', 'workspace_policy', 800, 'run', outputText(input.stage, input.outputFormat)),
  ];
}

/**
 * Names the stage in the system prompt too, where texts of users or earlier stages cannot override it. The format of a
 * verdict is always included for an evaluation.
 */
function stageText(stage: Stage, own: string | undefined): string {
  const instructions = own?.trim() ?? '';
  const form = stage === 'evaluate' ? `\n\n${VERDICT_FORM}` : '';
  const purpose = instructions === '' ? STAGE_PURPOSE[stage].trim() : `${instructions}${form}`;
  return `${stageLine(stage)}\n\n${purpose}`;
}

function teamText(members: readonly PlanMember[]): string {
  if (members.length === 0) return '';
  const lines = members.map(({ id, role }) => (role === null ? `- ${id}` : `- ${id}: ${role}`));
  return [TEAM_TEXT.intro, ...lines, TEAM_TEXT.rules].join('\n');
}

/** Empty for an evaluation, because its purpose already describes the format. */
function outputText(stage: Stage, format: OutputFormat | null): string {
  if (format === null || stage === 'evaluate') return '';
  return `${OUTPUT_FORM}\n${JSON.stringify(format.schema)}`;
}

const VERDICT_FORM = STAGE_PURPOSE.evaluate.trim().split('\n').at(-1) ?? '';
