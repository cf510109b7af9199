/** The part of the prompt that contains a section. */
export type Channel = 'system_prompt' | 'context_message' | 'resume_context' | 'attachment';

/** How often the text of a section changes: never, with the workspace's configuration, or with every run. */
export const VOLATILITIES = ['stable', 'workspace', 'run'] as const;
export type Volatility = (typeof VOLATILITIES)[number];

/** The authority of a section. A later precedence may refine an earlier one, but not contradict it. */
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

/** Who adds the section: the projection, or later a harness adapter. */
export type ApplyAt = 'runtime_config' | 'harness_adapter';

/** One section of the prompt. */
export interface PromptSection {
  readonly id: string;
  readonly channel: Channel;
  readonly apply_at: ApplyAt;
  readonly precedence: Precedence;
  readonly priority: number;
  readonly volatility: Volatility;
  readonly content: string;
}

/** A section of the system prompt for a harness. */
export interface PromptLayer {
  readonly id: string;
  readonly apply_at: ApplyAt;
  readonly content: string;
}

/**
 * Orders sections and drops empty ones. Sections that change least come first, so that the prefix cache of a provider
 * covers as much as possible. Precedence and then priority order the rest.
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
