import type { Prices, Rates } from './facts.ts';

/** The tokens of one call. `inputTokens` includes the cached and the written ones. */
export interface CallTokens {
  readonly inputTokens: number;
  readonly cachedInputTokens?: number;
  /** Input tokens that the call wrote to a cache. */
  readonly cacheWriteTokens?: number;
  readonly outputTokens: number;
}

const PER = 1_000_000;

/** The cost of one call in US dollars. Undefined without prices: an unknown cost is not zero. */
export function costOf(tokens: CallTokens, prices: Prices | undefined): number | undefined {
  if (!prices) return undefined;
  const { inputTokens, cachedInputTokens: cached = 0, cacheWriteTokens: written = 0, outputTokens } = tokens;
  const rates = ratesFor(inputTokens, prices);
  const plain = Math.max(0, inputTokens - cached - written);
  const input =
    plain * rates.input + cached * (rates.cachedInput ?? rates.input) + written * (rates.cacheWrite ?? rates.input);
  return (input + outputTokens * rates.output) / PER;
}

/** The most that a call can cost in US dollars: all of its input is written to a cache, and its output is complete. */
export function maximumCost(inputTokens: number, outputTokens: number, prices: Prices): number {
  const { input, cacheWrite = 0, output } = ratesFor(inputTokens, prices);
  return (inputTokens * Math.max(input, cacheWrite) + outputTokens * output) / PER;
}

function ratesFor(inputTokens: number, { above = [], ...rates }: Prices): Rates {
  const exceeded = above.filter((tier) => inputTokens > tier.inputTokens);
  return (
    exceeded.reduce<(Rates & { inputTokens?: number }) | undefined>(
      (highest, tier) => (highest && (highest.inputTokens ?? 0) > tier.inputTokens ? highest : tier),
      undefined,
    ) ?? rates
  );
}
