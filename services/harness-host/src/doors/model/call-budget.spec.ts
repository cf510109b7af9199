import { expect, test } from '@jest/globals';
import type { StageBudget } from '@reins/contracts';
import { usesInMemory } from '../../testing/uses-in-memory.ts';
import type { Reservation } from './call-budget.ts';
import { SharedBudget } from './shared-budget.ts';
import { UsesWriters } from './uses-writer.ts';

const MODEL = { maxOutputTokens: 100, prices: { input: 1000, output: 10_000 } };
const OWNER = { workspaceId: 'ws1', requestId: 'r1' };
const NOTHING_USED = { usedTokens: 0, usedCostUsd: 0 };
const budgetOf = (limits: Partial<StageBudget>, model: object = MODEL) =>
  new SharedBudget(new UsesWriters(usesInMemory()), OWNER, { ...NOTHING_USED, ...limits }, model);
const call = (fields: object) => ({ call: { usage: 'reported' as const, durationMs: 1, status: 200, ...fields } });

test('a call reserves its estimated input and its maximum output', async () => {
  const budget = budgetOf({ maxTokens: 1000, usedTokens: 700 });
  expect(await budget.reserve({ inputTokens: 100 })).toMatchObject({ tokens: 200 });
  expect(await budget.reserve({ inputTokens: 1, maxOutputTokens: 100 })).toMatchObject({
    code: 'budget_exceeded',
    path: 'budgets.max_tokens',
    message: expect.stringContaining('may use 101 tokens, and 100 of 1000 are left'),
  });
  expect(await budget.reserve({ inputTokens: 1, maxOutputTokens: 99 })).toMatchObject({ tokens: 100 });
});

test('the usage of a call replaces its reservation; an unknown one keeps it, and a failed one is free', async () => {
  const budget = budgetOf({ maxTokens: 200 });
  const reserve = async () => (await budget.reserve({ inputTokens: 50 })) as Reservation;
  await budget.settle(await reserve(), call({ inputTokens: 10, outputTokens: 5 }));
  await budget.settle(await reserve(), call({ usage: 'unknown', status: 500 }));
  expect(await budget.reserve({ inputTokens: 86 })).toHaveProperty('code', 'budget_exceeded');
  await budget.settle(await reserve(), call({ usage: 'unknown' }));
  expect(await budget.reserve({ inputTokens: 0, maxOutputTokens: 36 })).toHaveProperty('code', 'budget_exceeded');
});

test('a call that was cut keeps its reservation, unless it reported its usage', async () => {
  const budget = budgetOf({ maxTokens: 400 });
  const reserve = async () => (await budget.reserve({ inputTokens: 50 })) as Reservation;
  const cut = { error: 'model_answer_cut' };
  await budget.settle(await reserve(), { ...call({ usage: 'estimated', inputTokens: 1, outputTokens: 1 }), ...cut });
  await budget.settle(await reserve(), { call: { usage: 'unknown', durationMs: 1 }, ...cut });
  expect(await budget.reserve({ inputTokens: 1 })).toHaveProperty('code', 'budget_exceeded');
  expect(await budget.reserve({ inputTokens: 0 })).toMatchObject({ tokens: 100 });
  const other = budgetOf({ maxTokens: 200 });
  const first = (await other.reserve({ inputTokens: 50 })) as Reservation;
  await other.settle(first, { ...call({ inputTokens: 10, outputTokens: 5 }), ...cut });
  expect(await other.reserve({ inputTokens: 85 })).toMatchObject({ tokens: 185 });
});

test('a call reserves the maximum output for each answer that it asks for', async () => {
  const budget = budgetOf({ maxTokens: 10_000 });
  expect(await budget.reserve({ inputTokens: 5, answers: 10 })).toMatchObject({ tokens: 1005 });
  expect(await budget.reserve({ inputTokens: 5, maxOutputTokens: 7, answers: 3 })).toMatchObject({ tokens: 26 });
});

test('limits the cost', async () => {
  const budget = budgetOf({ maxCostUsd: 3, usedCostUsd: 1 });
  const first = (await budget.reserve({ inputTokens: 100 })) as Reservation;
  expect(first.costUsd).toBeCloseTo(1.1);
  expect(await budget.reserve({ inputTokens: 100 })).toMatchObject({
    path: 'budgets.max_cost_usd',
    message: expect.stringContaining('may cost $1.1000, and $0.9000 of $3.0000 are left'),
  });
  await budget.settle(first, call({ inputTokens: 100, outputTokens: 1, costUsd: 0.11 }));
  expect(await budget.reserve({ inputTokens: 100 })).toHaveProperty('costUsd');
});

test('refuses calls whose cost is unknown only if the cost is limited', async () => {
  expect(await budgetOf({ maxCostUsd: 3 }, {}).reserve({ inputTokens: 1 })).toMatchObject({
    code: 'budget_exceeded',
    path: 'budgets.max_cost_usd',
    message: expect.stringMatching(/^the price of the model is unknown/),
    hint: expect.stringMatching(/input_price and output_price .*providers\.<id>\.models\.<model>.*budgets\.max_tokens/),
  });
  expect(await budgetOf({ maxTokens: 3 }, {}).reserve({ inputTokens: 1 })).toMatchObject({ tokens: 1 });
});

test('without a known maximum, a call may fill the context window', async () => {
  const budget = budgetOf({ maxTokens: 10_000 }, { contextWindow: 2000 });
  expect(await budget.reserve({ inputTokens: 500 })).toMatchObject({ tokens: 2000 });
});
