import { expect, test } from '@jest/globals';
import { costOf, maximumCost } from './cost.ts';

const PRICES = { input: 2, output: 10, cachedInput: 0.5, cacheWrite: 2.5 };

test('each kind of token has its price', () => {
  const tokens = {
    inputTokens: 1_000_000,
    cachedInputTokens: 400_000,
    cacheWriteTokens: 200_000,
    outputTokens: 100_000,
  };
  expect(costOf(tokens, PRICES)).toBeCloseTo(0.8 + 0.2 + 0.5 + 1);
});

test('cached tokens without a price of their own cost as much as input', () => {
  const tokens = { inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 0 };
  expect(costOf(tokens, { input: 2, output: 10 })).toBeCloseTo(2);
});

test('a call above a threshold has the rates of the highest threshold for all of its tokens', () => {
  const prices = {
    ...PRICES,
    above: [
      { inputTokens: 400_000, input: 8, output: 40 },
      { inputTokens: 200_000, input: 4, output: 20 },
    ],
  };
  expect(costOf({ inputTokens: 200_000, outputTokens: 0 }, prices)).toBeCloseTo(0.4);
  expect(costOf({ inputTokens: 300_000, outputTokens: 0 }, prices)).toBeCloseTo(1.2);
  expect(costOf({ inputTokens: 500_000, outputTokens: 0 }, prices)).toBeCloseTo(4);
});

test('the cost of a model without prices is unknown, even for no tokens', () => {
  expect(costOf({ inputTokens: 0, outputTokens: 0 }, undefined)).toBeUndefined();
  expect(costOf({ inputTokens: 0, outputTokens: 0 }, PRICES)).toBe(0);
});

test('the maximum is never less than the cost', () => {
  const cost = costOf({ inputTokens: 1000, cacheWriteTokens: 1000, outputTokens: 500 }, PRICES) ?? Number.NaN;
  expect(maximumCost(1000, 500, PRICES)).toBeGreaterThanOrEqual(cost);
});
