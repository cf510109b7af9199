import type { CapabilityManifest } from '../capability/types.ts';
import type { OutputFormat } from '../output/output-format.ts';
import type { Stage } from '../plan.ts';
import type { StageHistory } from '../stages.ts';
import { type PromptCacheProfile, promptCacheProfile, SECTION_SEPARATOR } from './cache-profile.ts';
import { capabilityText } from './capability-text.ts';
import {
  type Channel,
  ofChannel,
  orderSections,
  type Precedence,
  type PromptLayer,
  type PromptSection,
  perChannel,
  type Volatility,
} from './sections.ts';
import { EXECUTION_POLICY, OUTPUT_FORM, RESPONSE_DELIVERY_POLICY, RUNTIME_CORE } from './texts/base.ts';
import { SESSION_KIND_TEXT } from './texts/session.ts';
import { STAGE_PURPOSE } from './texts/stages.ts';

/** The prompt of a stage in every form in which a harness may want it. */
export interface ProjectedPrompt {
  readonly sections: readonly PromptSection[];
  readonly layers: readonly PromptLayer[];
  readonly systemPrompt: string;
  readonly contextMessages: readonly string[];
  readonly channelContents: Readonly<Record<Channel, readonly string[]>>;
  readonly cacheProfile: PromptCacheProfile;
}

/** Orders sections and projects them. */
export function projectPrompt(unordered: readonly PromptSection[]): ProjectedPrompt {
  const sections = orderSections(unordered);
  const system = ofChannel(sections, 'system_prompt');
  const systemPrompt = system.map((section) => section.content).join(SECTION_SEPARATOR);
  return {
    sections,
    layers: system.map(({ id, apply_at, content }) => ({ id, apply_at, content })),
    systemPrompt,
    contextMessages: sections
      .filter((section) => section.channel !== 'system_prompt')
      .map((section) => section.content),
    channelContents: perChannel((channel) => ofChannel(sections, channel).map((section) => section.content)),
    cacheProfile: promptCacheProfile(sections, systemPrompt),
  };
}

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

/** What the system prompt of a stage is made of. */
export interface SystemPromptInput {
  readonly stage: Stage;
  /** The workspace's own instructions for the stage; they go in the place of the built-in ones. */
  readonly stageInstructions: string | undefined;
  readonly agentPrompt: string;
  readonly agentRole: string | null;
  readonly manifest: CapabilityManifest;
  readonly gatedTools: readonly string[];
  /** The form that the answer must have, told to executors that cannot be made to keep it. */
  readonly outputFormat: OutputFormat | null;
}

/**
 * The system sections of a stage. All stages of a workspace share everything up to the stage's own purpose, which comes last, so
 * that one prefix serves the whole pipeline.
 */
export function systemSections(input: SystemPromptInput): readonly PromptSection[] {
  const { manifest } = input;
  const role = input.agentRole === null ? '' : `\nYour role in this workspace: ${input.agentRole}`;
  const session = SESSION_KIND_TEXT[manifest.context.session_kind] ?? '';
  return [
    ...STABLE_SECTIONS,
    system('session_policy', 'session_policy', 300, 'workspace', `${session}${role}`),
    system('capability_policy', 'capability_policy', 400, 'workspace', capabilityText(manifest, input.gatedTools)),
    system('workspace_policy', 'workspace_policy', 600, 'workspace', input.agentPrompt),
    system('stage_policy', 'workspace_policy', 700, 'run', stageText(input.stage, input.stageInstructions)),
    system('output_policy', 'workspace_policy', 800, 'run', outputText(input.stage, input.outputFormat)),
  ];
}

/** An evaluation is always told what form its verdict has, whatever the workspace says about judging. */
function stageText(stage: Stage, own: string | undefined): string {
  const instructions = own?.trim() ?? '';
  if (instructions === '') return STAGE_PURPOSE[stage];
  const form = stage === 'evaluate' ? `\n\n${VERDICT_FORM}` : '';
  return `You are in the ${stage} stage.\n\n${instructions}${form}`;
}

/** The purpose of an evaluation says the form of its answer in words already. */
function outputText(stage: Stage, format: OutputFormat | null): string {
  if (format === null || stage === 'evaluate') return '';
  return `${OUTPUT_FORM}\n${JSON.stringify(format.schema)}`;
}

const VERDICT_FORM = STAGE_PURPOSE.evaluate.trim().split('\n').at(-1) ?? '';

const HISTORY_HEADINGS: readonly (readonly [keyof StageHistory, string, string])[] = [
  ['brief', 'stage_brief', 'The brief of this run (from its interview stage):'],
  ['execution', 'stage_execution', 'What the last execute stage says that it did:'],
  ['verdict', 'stage_verdict', 'How the last evaluation judged it:'],
  ['reflection', 'stage_reflection', 'What the reflection asks of the next attempt:'],
];

/** What earlier stages of the run left, as context messages in the order in which they came about. */
export function historySections(history: StageHistory): readonly PromptSection[] {
  return HISTORY_HEADINGS.map(([key, id, heading], index) => {
    const text = historyText(history[key]);
    return {
      id,
      channel: 'context_message',
      apply_at: 'runtime_config',
      precedence: 'runtime_context',
      priority: 600 + index,
      volatility: 'run',
      content: text === '' ? '' : `${heading}\n${text}`,
    };
  });
}

function historyText(part: StageHistory[keyof StageHistory]): string {
  if (part === null || part === undefined) return '';
  if (typeof part === 'string') return part.trim();
  const score = part.score === undefined ? '' : ` (score ${part.score})`;
  return [`Outcome: ${part.outcome}${score}`, ...part.reasons.map((reason) => `- ${reason}`)].join('\n');
}
