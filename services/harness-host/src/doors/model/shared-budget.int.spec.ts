import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, openBucket, provision, type TypedBucket } from '@reins/bus';
import type { StageBudget } from '@reins/contracts';
import { startNats, type TestNats } from '@reins/testing';
import type { Reservation } from './run-budget.ts';
import { SharedBudget, type Uses } from './shared-budget.ts';

let nats: TestNats;
let bus: Bus;
let bucket: TypedBucket<Uses>;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 1, replicas: 1, runtimeIds: [] });
  bucket = await openBucket<Uses>(bus, 'claims');
});
afterAll(async () => {
  await bus.close();
  await nats.stop();
});

const MODEL = { maxOutputTokens: 100 };
/** The budget of a stage on some host: only the bucket is common to all. */
const stageOf = (sharedBy: string, requestId: string, more: Partial<StageBudget> = {}) => {
  const budget = { maxTokens: 1000, usedTokens: 0, usedCostUsd: 0, sharedBy, ...more };
  return new SharedBudget(bucket, { workspaceId: 'ws1', requestId }, budget, MODEL);
};
const used = (inputTokens: number) => ({
  call: { usage: 'reported' as const, durationMs: 1, status: 200, inputTokens, outputTokens: 0 },
});
const REFUSED = { code: 'budget_exceeded', path: 'budgets.max_tokens' };

test('a stage knows what siblings in flight have reserved, and what stages before it have used', async () => {
  const [first, second] = [stageOf('root1', 'a'), stageOf('root1', 'b')];
  const reserved = (await first.reserve({ inputTokens: 700 })) as Reservation;
  expect(reserved.tokens).toBe(800);
  expect(await second.reserve({ inputTokens: 101 })).toMatchObject({
    ...REFUSED,
    message: expect.stringContaining('200 of 1000 are left'),
  });
  await first.settle(reserved, used(300));
  expect(await second.reserve({ inputTokens: 500 })).toMatchObject({ tokens: 600 });
  expect(await stageOf('root1', 'c').reserve({ inputTokens: 1 })).toMatchObject(REFUSED);
  // Another request has a budget of its own.
  expect(await stageOf('root2', 'a').reserve({ inputTokens: 900 })).toMatchObject({ tokens: 1000 });
});

test('calls of many stages at once never exceed the budget together', async () => {
  const stages = Array.from({ length: 20 }, (_, index) => stageOf('root3', `child${index}`));
  const answers = await Promise.all(stages.map((stage) => stage.reserve({ inputTokens: 100 })));
  expect(answers.filter((answer) => 'tokens' in answer)).toHaveLength(5);
});

test('the reservation of a host that died counts, also for the next attempt of its stage', async () => {
  await stageOf('root4', 'a').reserve({ inputTokens: 700 });
  expect(await stageOf('root4', 'a').reserve({ inputTokens: 200 })).toMatchObject(REFUSED);
  const next = stageOf('root4', 'a');
  const call = (await next.reserve({ inputTokens: 100 })) as Reservation;
  await next.release(call);
  expect(await next.reserve({ inputTokens: 100 })).toMatchObject({ tokens: 200 });
});

test('what the control bus knows of a run counts once', async () => {
  const first = stageOf('root5', 'a', { usedTokens: 300 });
  const call = (await first.reserve({ inputTokens: 100 })) as Reservation;
  await first.settle(call, used(200));
  const next = stageOf('root5', 'a', { usedTokens: 500 });
  expect(await next.reserve({ inputTokens: 401 })).toMatchObject(REFUSED);
  expect(await next.reserve({ inputTokens: 400 })).toMatchObject({ tokens: 500 });
});
