/** Where a section's text ends up. */
export type Channel = 'system_prompt' | 'context_message' | 'resume_context' | 'attachment';

/** How often a section's text changes: never, with the workspace's configuration, or with every run. */
export const VOLATILITIES = ['stable', 'workspace', 'run'] as const;
export type Volatility = (typeof VOLATILITIES)[number];

/** Whose word a section is; what comes later may refine what came before, never contradict it. */
export const PRECEDENCES = [
  'base_runtime',
  'session_policy',
  'capability_policy',
  'runtime_context',
  'workspace_policy',
  'harness_addendum',
  'agent_override',
  'emergency_override',
] as const;
export type Precedence = (typeof PRECEDENCES)[number];

/** Who puts the section in: the projection, or a harness adapter later. */
export type ApplyAt = 'runtime_config' | 'harness_adapter';

/** One piece of the prompt. */
export interface PromptSection {
  readonly id: string;
  readonly channel: Channel;
  readonly apply_at: ApplyAt;
  readonly precedence: Precedence;
  readonly priority: number;
  readonly volatility: Volatility;
  readonly content: string;
}

/** A piece of the system prompt as a harness sees it. */
export interface PromptLayer {
  readonly id: string;
  readonly apply_at: ApplyAt;
  readonly content: string;
}

/**
 * Puts sections in their order and drops the empty ones. What changes least comes first, so that a provider's prefix cache reaches
 * as far as it can; among equals precedence, then priority, decides.
 */
export function orderSections(sections: readonly PromptSection[]): readonly PromptSection[] {
  return sections
    .map((section) => ({ ...section, content: section.content.trim() }))
    .filter((section) => section.content !== '')
    .sort(compareSections);
}

function compareSections(a: PromptSection, b: PromptSection): number {
  return (
    VOLATILITIES.indexOf(a.volatility) - VOLATILITIES.indexOf(b.volatility) ||
    PRECEDENCES.indexOf(a.precedence) - PRECEDENCES.indexOf(b.precedence) ||
    a.priority - b.priority ||
    compareText(a.apply_at, b.apply_at) ||
    compareText(a.channel, b.channel) ||
    compareText(a.id, b.id)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sections of one channel, in order. */
export function ofChannel(sections: readonly PromptSection[], channel: Channel): readonly PromptSection[] {
  return sections.filter((section) => section.channel === channel);
}

/** One value for each channel. */
export function perChannel<T>(valueFor: (channel: Channel) => T): Readonly<Record<Channel, T>> {
  return {
    system_prompt: valueFor('system_prompt'),
    context_message: valueFor('context_message'),
    resume_context: valueFor('resume_context'),
    attachment: valueFor('attachment'),
  };
}
