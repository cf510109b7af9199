import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, openBucket, provision, type TypedBucket } from '@reins/bus';
import { ReinsError, type StageBudget } from '@reins/contracts';
import { startNats, type TestNats } from '@reins/testing';
import type { Reservation } from './call-budget.ts';
import { SharedBudget } from './shared-budget.ts';
import { totalOf, type Uses } from './shared-uses.ts';
import { type UsesBucket, UsesWriters } from './uses-writer.ts';

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
/** The budget of a stage on a host of its own, or on this one: only the bucket is common to all hosts. */
const stageOf = (
  sharedBy: string,
  requestId: string,
  more: Partial<StageBudget> = {},
  host = new UsesWriters(bucket),
) => {
  const budget = { maxTokens: 1000, usedTokens: 0, usedCostUsd: 0, sharedBy, ...more };
  return new SharedBudget(host, { workspaceId: 'ws1', requestId }, budget, MODEL);
};
const recordedOf = async (sharedBy: string) => {
  const { value } = (await bucket.get(`budget.ws1.${sharedBy}`)) ?? {};
  return value && totalOf(value);
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

test('no call of 100 stages at once is refused, and what is recorded is what they have used', async () => {
  const hosts = [new UsesWriters(bucket), new UsesWriters(bucket), new UsesWriters(bucket)];
  const stages = Array.from({ length: 100 }, (_, n) => stageOf('root6', `child${n}`, { maxTokens: 1e9 }, hosts[n % 3]));
  for (let round = 0; round < 3; round += 1)
    await Promise.all(
      stages.map(async (stage) => {
        const call = await stage.reserve({ inputTokens: 0, maxOutputTokens: 64_000 });
        expect(call).toMatchObject({ tokens: 64_000 });
        await stage.settle(call as Reservation, used(100));
      }),
    );
  expect(await recordedOf('root6')).toEqual({ tokens: 30_000, costUsd: 0 });
});

test('the calls of one host that wait are stored with one write', async () => {
  let writes = 0;
  const counted: UsesBucket = {
    get: (key) => bucket.get(key),
    create: (...all) => {
      writes += 1;
      return bucket.create(...all);
    },
    update: (...all) => {
      writes += 1;
      return bucket.update(...all);
    },
  };
  const host = new UsesWriters(counted);
  const stages = Array.from({ length: 50 }, (_, n) => stageOf('root7', `child${n}`, { maxTokens: 1e9 }, host));
  await Promise.all(stages.map((stage) => stage.reserve({ inputTokens: 10 })));
  expect(await recordedOf('root7')).toEqual({ tokens: 5500, costUsd: 0 });
  expect(writes).toBe(1);
});

test.each(['before', 'after'])('a write that fails %s it is stored counts once', async (when) => {
  const fails = [true, false, true];
  const failing = async (write: () => Promise<number | undefined>) => {
    const isLost = fails.shift();
    if (!isLost || when === 'after') {
      const revision = await write();
      if (!isLost) return revision;
    }
    throw new ReinsError({ code: 'bus_unavailable', message: 'no reply' });
  };
  const lossy: UsesBucket = {
    get: (key) => bucket.get(key),
    create: (...all) => failing(() => bucket.create(...all)),
    update: (...all) => failing(() => bucket.update(...all)),
  };
  const stage = stageOf(`root8${when}`, 'a', {}, new UsesWriters(lossy));
  const call = (await stage.reserve({ inputTokens: 500 })) as Reservation;
  expect(call).toMatchObject({ tokens: 600 });
  await stage.settle(call, used(200));
  expect(await stage.reserve({ inputTokens: 700 })).toMatchObject({ tokens: 800 });
  expect(await recordedOf(`root8${when}`)).toEqual({ tokens: 1000, costUsd: 0 });
});

test('a call is refused at once if its use cannot be recorded', async () => {
  const refuse = async () => {
    throw new ReinsError({ code: 'bus_publish_refused', message: 'no' });
  };
  const host = new UsesWriters({ get: (key) => bucket.get(key), create: refuse, update: refuse });
  await expect(stageOf('root9', 'a', {}, host).reserve({ inputTokens: 1 })).rejects.toMatchObject({
    code: 'bus_publish_refused',
  });
});
