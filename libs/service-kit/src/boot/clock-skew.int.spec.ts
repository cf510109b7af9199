import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Bus, connectBus, provision } from '@reins/bus';
import { startNats, type TestNats } from '@reins/testing';
import { reportClockSkew } from './clock-skew.ts';

const FIVE_MINUTES_MS = 300_000;

let nats: TestNats;
let bus: Bus;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 1, replicas: 1, runtimeIds: [] });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await bus.close();
  await nats.stop();
});

/** What a service whose machine is ahead by this time logs when it starts. */
async function warningsAt(aheadMs: number): Promise<readonly unknown[]> {
  const systemNow = Date.now.bind(Date);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => systemNow() + aheadMs);
  const warnings: unknown[] = [];
  await reportClockSkew(bus, { warn: (fields: unknown) => void warnings.push(fields) });
  clock.mockRestore();
  return warnings;
}

test.each([FIVE_MINUTES_MS, -FIVE_MINUTES_MS])('a clock that is %d ms ahead is reported', async (aheadMs) => {
  const [warning] = (await warningsAt(aheadMs)) as [{ skewMs: number }];
  expect(Math.abs(warning.skewMs - aheadMs)).toBeLessThan(FIVE_MINUTES_MS / 2);
});

test('a clock that is right is not reported', async () => {
  expect(await warningsAt(0)).toEqual([]);
});
