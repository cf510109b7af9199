import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Bus, connectBus, provision } from '@reins/bus';
import { startNats, type TestNats } from '@reins/testing';
import { checkClock } from './check-installation.ts';

const FIVE_MINUTES_MS = 300_000;
const systemNow = Date.now.bind(Date);

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

test('the clock of this machine is as the one of the server', async () => {
  expect(await checkClock(bus)).toMatchObject({ name: 'clock', status: 'ok' });
});

test.each([
  [FIVE_MINUTES_MS, 'ahead of'],
  [-FIVE_MINUTES_MS, 'behind'],
])('a clock that is %d ms ahead is a warning with a hint', async (aheadMs, direction) => {
  jest.spyOn(Date, 'now').mockImplementation(() => systemNow() + aheadMs);
  const check = await checkClock(bus);
  expect(check).toMatchObject({ name: 'clock', status: 'warning', hint: expect.stringContaining('Synchronize') });
  expect(check.message).toContain(`${direction} the NATS server`);
});
