import { type PromptCacheProfile, promptCacheProfile } from './cache-profile.ts';
import {
  type Channel,
  ofChannel,
  orderSections,
  type PromptLayer,
  type PromptSection,
  perChannel,
} from './sections.ts';
import type { SystemPrompt } from './system-prompt.ts';

/** The prompt of a stage in all the forms that harnesses need. */
export interface ProjectedPrompt {
  readonly sections: readonly PromptSection[];
  readonly layers: readonly PromptLayer[];
  readonly systemPrompt: string;
  readonly contextMessages: readonly string[];
  readonly channelContents: Readonly<Record<Channel, readonly string[]>>;
  readonly cacheProfile: PromptCacheProfile;
}

/** Combines the system prompt with the messages of a run. */
export function projectPrompt(system: SystemPrompt, unordered: readonly PromptSection[]): ProjectedPrompt {
  const messages = orderSections(unordered);
  const sections = [...system.sections, ...messages];
  return {
    sections,
    layers: system.layers,
    systemPrompt: system.text,
    contextMessages: messages.map((section) => section.content),
    channelContents: perChannel((channel) => ofChannel(sections, channel).map((section) => section.content)),
    cacheProfile: promptCacheProfile(system, messages),
  };
}
