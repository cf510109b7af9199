import { sha256Hex } from '../canonical.ts';
import { type Channel, orderSections, type PromptLayer, type PromptSection, type Volatility } from './sections.ts';

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

/** The digest of a section. */
export function digestOf({ id, channel, volatility, content }: PromptSection): SectionDigest {
  return { id, channel, volatility, sha256: sha256Hex(content), length: content.length };
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
