import { type ModelFacts, type Prices, THINKING_LEVELS, type ThinkingFacts, type ThinkingLevel } from './facts.ts';

/** Facts about one model in the settings of an installation. Prices are in US dollars per million tokens. */
export interface ModelFactSettings {
  readonly reasoning?: boolean | null;
  readonly thinking?: ThinkingFacts['by'] | null;
  readonly thinkingLevels?: readonly ThinkingLevel[] | null;
  readonly contextWindow?: number | null;
  readonly maxOutputTokens?: number | null;
  readonly images?: boolean | null;
  readonly inputPrice?: number | null;
  readonly outputPrice?: number | null;
  readonly cachedInputPrice?: number | null;
  readonly cacheWritePrice?: number | null;
}

/** The levels of a model that takes budgets, or whose levels are not set. */
const COMMON_LEVELS: readonly ThinkingLevel[] = ['low', 'medium', 'high'];

/**
 * Puts the settings of a model before its facts of the catalogue. The first price replaces all prices of the catalogue,
 * because they belong together; without both an input and an output price, the prices are unknown then.
 */
export function withSettings(facts: ModelFacts, settings: ModelFactSettings): ModelFacts {
  const { reasoning, contextWindow, maxOutputTokens, images } = withoutNulls(settings);
  const thinking = thinkingOf(settings, facts.thinking);
  const { prices: catalogued, thinking: known, ...others } = facts;
  const prices = pricesOf(settings, catalogued);
  return {
    ...others,
    ...(thinking && { thinking, reasoning: true }),
    ...withoutNulls({ reasoning, contextWindow, maxOutputTokens, images }),
    ...(prices && { prices }),
  };
}

function thinkingOf(
  { thinking, thinkingLevels }: ModelFactSettings,
  known: ThinkingFacts | undefined,
): ThinkingFacts | undefined {
  if (thinking == null && thinkingLevels == null) return known;
  const by = thinking ?? known?.by ?? 'effort';
  const levels = thinkingLevels ?? (known ? THINKING_LEVELS.filter((level) => known.efforts[level]) : COMMON_LEVELS);
  const efforts = Object.fromEntries(levels.map((level) => [level, known?.efforts[level] ?? level]));
  return { off: true, ...known, by, efforts };
}

function pricesOf(
  {
    inputPrice: input,
    outputPrice: output,
    cachedInputPrice: cachedInput,
    cacheWritePrice: cacheWrite,
  }: ModelFactSettings,
  catalogued: Prices | undefined,
): Prices | undefined {
  if ([input, output, cachedInput, cacheWrite].every((price) => price == null)) return catalogued;
  if (input == null || output == null) return undefined;
  return { input, output, ...withoutNulls({ cachedInput, cacheWrite }) };
}

type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> };

const withoutNulls = <T extends object>(value: T): WithoutNulls<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each != null)) as WithoutNulls<T>;
