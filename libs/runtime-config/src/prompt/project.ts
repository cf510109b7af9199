import { sha256Hex } from '../canonical.ts';
import {
  type CacheBreakpoint,
  digestOf,
  type PromptCacheProfile,
  promptCacheProfile,
  type SectionDigest,
} from './cache-profile.ts';
import {
  type Channel,
  ofChannel,
  orderSections,
  type PromptLayer,
  type PromptSection,
  perChannel,
} from './sections.ts';

const SEPARATOR = '\n\n';

/** The system prompt of a stage and its metadata. It follows only from the plan, so it is built once for many runs. */
export interface SystemPrompt {
  readonly text: string;
  readonly sections: readonly PromptSection[];
  readonly layers: readonly PromptLayer[];
  readonly digests: readonly SectionDigest[];
  readonly breakpoints: readonly CacheBreakpoint[];
  readonly cacheable: TextDigest;
  readonly volatile: TextDigest;
  readonly fingerprint: string;
}

/** The hash and length of a text that consists of sections. */
export interface TextDigest {
  readonly ids: readonly string[];
  readonly length: number;
  readonly sha256: string;
}

/** Orders the system sections and joins them to one prompt. */
export function projectSystemPrompt(unordered: readonly PromptSection[]): SystemPrompt {
  const sections = orderSections(unordered);
  const text = joined(sections);
  return {
    text,
    sections,
    layers: sections.map(({ id, apply_at, content }) => ({ id, apply_at, content })),
    digests: sections.map(digestOf),
    breakpoints: breakpointsOf(sections),
    cacheable: textDigest(sections.filter((section) => section.volatility !== 'run')),
    volatile: textDigest(sections.filter((section) => section.volatility === 'run')),
    fingerprint: sha256Hex(text),
  };
}

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

/** One breakpoint after the last section of each volatility. */
function breakpointsOf(sections: readonly PromptSection[]): readonly CacheBreakpoint[] {
  return sections.flatMap((section, index) => {
    if (sections[index + 1]?.volatility === section.volatility) return [];
    const prefix = joined(sections.slice(0, index + 1));
    return [
      {
        after_section_id: section.id,
        volatility: section.volatility,
        offset: prefix.length,
        prefix_fingerprint: sha256Hex(prefix),
      },
    ];
  });
}

function textDigest(sections: readonly PromptSection[]): TextDigest {
  const text = joined(sections);
  return { ids: sections.map((section) => section.id), length: text.length, sha256: sha256Hex(text) };
}

function joined(sections: readonly PromptSection[]): string {
  return sections.map((section) => section.content).join(SEPARATOR);
}
