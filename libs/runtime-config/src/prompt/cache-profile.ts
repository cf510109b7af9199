import { sha256Hex } from '../canonical.ts';
import { type Channel, ofChannel, PRECEDENCES, type PromptSection, perChannel, type Volatility } from './sections.ts';

/** One section of the prompt, told by its hash and size instead of its text. */
export interface SectionPrint {
  readonly id: string;
  readonly channel: Channel;
  readonly volatility: Volatility;
  readonly sha256: string;
  readonly length: number;
}

/** A place in the system prompt up to which it stays the same as long as nothing of the named volatility changes. */
export interface CacheBreakpoint {
  readonly after_section_id: string;
  readonly volatility: Volatility;
  /** Characters of the system prompt before it. */
  readonly offset: number;
  /** Hash of those characters. */
  readonly prefix_fingerprint: string;
}

/** What of a prompt a provider can cache. It tells fingerprints and lengths, never the text. */
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
  readonly sections: readonly SectionPrint[];
  readonly cache_breakpoints: readonly CacheBreakpoint[];
  readonly cacheable_length: number;
  readonly volatile_length: number;
  readonly cacheable_fingerprint: string;
  readonly volatile_fingerprint: string | null;
  readonly full_system_prompt_fingerprint: string;
}

export const SECTION_SEPARATOR = '\n\n';

/** Hashes of texts that come again and again; what belongs to one run is not kept. */
const knownHashes = new Map<string, string>();
const KNOWN_HASHES = 512;

/** The hash of a text that many runs share. */
export function sharedHash(text: string): string {
  const known = knownHashes.get(text);
  if (known !== undefined) return known;
  if (knownHashes.size >= KNOWN_HASHES) knownHashes.clear();
  const hash = sha256Hex(text);
  knownHashes.set(text, hash);
  return hash;
}

/** Describes ordered sections and the system prompt made of them. */
export function promptCacheProfile(sections: readonly PromptSection[], systemPrompt: string): PromptCacheProfile {
  const system = ofChannel(sections, 'system_prompt');
  const cacheable = system.filter((section) => section.volatility !== 'run');
  const volatile = system.filter((section) => section.volatility === 'run');
  const cacheableText = joined(cacheable);
  const volatileText = joined(volatile);
  const messages = sections.filter((section) => section.channel !== 'system_prompt');
  return {
    cacheable_section_ids: ids(cacheable),
    volatile_section_ids: ids(volatile),
    context_message_ids: ids(ofChannel(sections, 'context_message')),
    resume_context_ids: ids(ofChannel(sections, 'resume_context')),
    attachment_ids: ids(ofChannel(sections, 'attachment')),
    compatibility_context_ids: ids(messages),
    delta_section_ids: ids(messages),
    channel_section_ids: perChannel((channel) => ids(ofChannel(sections, channel))),
    precedence_order: PRECEDENCES,
    sections: sections.map(printOf),
    cache_breakpoints: breakpoints(system),
    cacheable_length: cacheableText.length,
    volatile_length: volatileText.length,
    cacheable_fingerprint: sharedHash(cacheableText),
    volatile_fingerprint: volatile.length === 0 ? null : sharedHash(volatileText),
    full_system_prompt_fingerprint: sharedHash(systemPrompt),
  };
}

function printOf(section: PromptSection): SectionPrint {
  const { id, channel, volatility, content } = section;
  const sha256 = volatility === 'run' ? sha256Hex(content) : sharedHash(content);
  return { id, channel, volatility, sha256, length: content.length };
}

/** One breakpoint after the last section of each volatility. */
function breakpoints(system: readonly PromptSection[]): readonly CacheBreakpoint[] {
  const found: CacheBreakpoint[] = [];
  let prefix = '';
  system.forEach((section, index) => {
    prefix += (index === 0 ? '' : SECTION_SEPARATOR) + section.content;
    if (system[index + 1]?.volatility === section.volatility) return;
    found.push({
      after_section_id: section.id,
      volatility: section.volatility,
      offset: prefix.length,
      prefix_fingerprint: sharedHash(prefix),
    });
  });
  return found;
}

function joined(sections: readonly PromptSection[]): string {
  return sections.map((section) => section.content).join(SECTION_SEPARATOR);
}

function ids(sections: readonly PromptSection[]): readonly string[] {
  return sections.map((section) => section.id);
}
