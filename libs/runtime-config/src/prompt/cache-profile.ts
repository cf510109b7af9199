import { type Channel, ofChannel, PRECEDENCES, type PromptSection, perChannel } from './sections.ts';
import { type CacheBreakpoint, digestOf, type SectionDigest, type SystemPrompt } from './system-prompt.ts';

/** What a provider can cache of a prompt. Contains only fingerprints and lengths, never the text. */
export interface PromptCacheProfile {
  readonly cacheable_section_ids: readonly string[];
  readonly volatile_section_ids: readonly string[];
  readonly context_message_ids: readonly string[];
  readonly resume_context_ids: readonly string[];
  readonly attachment_ids: readonly string[];
  readonly compatibility_context_ids: readonly string[];
  readonly delta_section_ids: readonly string[];
  readonly channel_section_ids: Readonly<Record<Channel, readonly string[]>>;
  readonly precedence_order: readonly string[];
  readonly sections: readonly SectionDigest[];
  readonly cache_breakpoints: readonly CacheBreakpoint[];
  readonly cacheable_length: number;
  readonly volatile_length: number;
  readonly cacheable_fingerprint: string;
  readonly volatile_fingerprint: string | null;
  readonly full_system_prompt_fingerprint: string;
}

/** Builds the cache profile of a system prompt and its messages. */
export function promptCacheProfile(system: SystemPrompt, messages: readonly PromptSection[]): PromptCacheProfile {
  const messageIds = ids(messages);
  const byChannel = perChannel((channel) => ids(ofChannel(messages, channel)));
  return {
    cacheable_section_ids: system.cacheable.ids,
    volatile_section_ids: system.volatile.ids,
    context_message_ids: byChannel.context_message,
    resume_context_ids: byChannel.resume_context,
    attachment_ids: byChannel.attachment,
    compatibility_context_ids: messageIds,
    delta_section_ids: messageIds,
    channel_section_ids: { ...byChannel, system_prompt: ids(system.sections) },
    precedence_order: PRECEDENCES,
    sections: [...system.digests, ...messages.map(digestOf)],
    cache_breakpoints: system.breakpoints,
    cacheable_length: system.cacheable.length,
    volatile_length: system.volatile.length,
    cacheable_fingerprint: system.cacheable.sha256,
    volatile_fingerprint: system.volatile.ids.length === 0 ? null : system.volatile.sha256,
    full_system_prompt_fingerprint: system.fingerprint,
  };
}

function ids(sections: readonly PromptSection[]): readonly string[] {
  return sections.map((section) => section.id);
}
