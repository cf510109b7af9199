import { type ModelFacts, THINKING_LEVELS, type ThinkingFacts, type ThinkingLevel } from './facts.ts';

/** What a request asks for. A budget is a number of tokens, or negative for as many as the model wants. */
export type AskedThinking = 'off' | { readonly level: ThinkingLevel; readonly budget?: number };

/** What to send to a model: nothing, that it must not think, or how much. */
export type SentThinking =
  | { readonly kind: 'none' }
  /** `value`: the level that switches thinking off, for APIs that take levels. */
  | { readonly kind: 'off'; readonly value: string }
  | { readonly kind: 'effort'; readonly level: ThinkingLevel; readonly value: string }
  | { readonly kind: 'budget'; readonly level: ThinkingLevel; readonly tokens: number };

/** The budgets of levels, for models that take budgets. */
const BUDGETS: Readonly<Record<ThinkingLevel, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 24_576,
};
/** The value that switches thinking off, for models whose own one is unknown. */
const OFF = 'none';

/**
 * Decides what to send to a model. Nothing if nothing is asked, or if the model is known not to think. A level that the
 * model does not support becomes the next higher one, or else the highest one. A model that always thinks gets its
 * lowest level for `off`. An unknown model gets what was asked.
 */
export function thinkingFor(asked: AskedThinking | undefined, facts: ModelFacts): SentThinking {
  const { reasoning, thinking } = facts;
  if (asked === undefined || reasoning === false) return { kind: 'none' };
  if (asked === 'off') {
    if (thinking?.off !== false) return { kind: 'off', value: typeof thinking?.off === 'string' ? thinking.off : OFF };
    return amount({ level: 'minimal' }, facts);
  }
  return amount(asked, facts);
}

function amount({ level, budget }: Exclude<AskedThinking, 'off'>, { thinking }: ModelFacts): SentThinking {
  if (!thinking) return { kind: 'effort', level, value: level };
  const supported = supportedLevel(level, thinking.efforts);
  if (supported === undefined) return { kind: 'none' };
  if (thinking.by === 'effort')
    return { kind: 'effort', level: supported, value: thinking.efforts[supported] ?? supported };
  return { kind: 'budget', level: supported, tokens: tokensFor(budget, supported, thinking.budgets) };
}

function tokensFor(budget: number | undefined, level: ThinkingLevel, accepted: ThinkingFacts['budgets']): number {
  if (budget !== undefined && budget < 0 && accepted?.unlimited !== undefined) return accepted.unlimited;
  const wanted = budget === undefined || budget < 0 ? BUDGETS[level] : budget;
  return accepted ? Math.min(accepted.max, Math.max(accepted.min, wanted)) : wanted;
}

function supportedLevel(
  level: ThinkingLevel,
  efforts: Readonly<Partial<Record<ThinkingLevel, string>>>,
): ThinkingLevel | undefined {
  const supported = THINKING_LEVELS.filter((each) => efforts[each] !== undefined);
  const at = THINKING_LEVELS.indexOf(level);
  return supported.find((each) => THINKING_LEVELS.indexOf(each) >= at) ?? supported.at(-1);
}
