import { sha256Hex } from '../canonical.ts';
import type { SystemPrompt } from './project.ts';
import { type Channel, ofChannel, PRECEDENCES, type PromptSection, perChannel, type Volatility } from './sections.ts';

/** A section of the prompt with its hash and length instead of its text. */
export interface SectionDigest {
  readonly id: string;
  readonly channel: Channel;
  readonly volatility: Volatility;
  readonly sha256: string;
  readonly length: number;
}

/** A position in the system prompt. The prefix before it stays the same unless something of this volatility changes. */
export interface CacheBreakpoint {
  readonly after_section_id: string;
  readonly volatility: Volatility;
  /** The number of characters before the position. */
  readonly offset: number;
  /** The hash of these characters. */
  readonly prefix_fingerprint: string;
}

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

/** The digest of a section. */
export function digestOf({ id, channel, volatility, content }: PromptSection): SectionDigest {
  return { id, channel, volatility, sha256: sha256Hex(content), length: content.length };
}

function ids(sections: readonly PromptSection[]): readonly string[] {
  return sections.map((section) => section.id);
}
