import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BusFixture, until } from '../testing/fixture.ts';
import type { Bus } from './bus.ts';
import { compareClocks, ServerClock } from './server-clock.ts';

const FIVE_MINUTES_MS = 300_000;

describe('the clock of the server', () => {
  let fixture: BusFixture;
  let bus: Bus;
  const systemNow = Date.now.bind(Date);
  beforeAll(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
  });
  afterAll(() => fixture.stop());

  /** Sets the clock of this machine, as an operator or NTP does. */
  const setClock = (aheadMs: number) => jest.spyOn(Date, 'now').mockImplementation(() => systemNow() + aheadMs);

  /** The server of this test runs on this machine, so the correct time is known. */
  const errorOf = (clock: ServerClock): number => Math.abs(clock.now().getTime() - systemNow());

  it.each([FIVE_MINUTES_MS, -FIVE_MINUTES_MS])('is right on a machine that is %d ms ahead', async (aheadMs) => {
    const spy = setClock(aheadMs);
    try {
      const { errorMs, skewMs } = await compareClocks(bus);
      expect(Math.abs(skewMs - aheadMs)).toBeLessThanOrEqual(errorMs + 10);
      const clock = await ServerClock.start(bus);
      expect(errorOf(clock)).toBeLessThan(FIVE_MINUTES_MS / 10);
      clock.stop();
    } finally {
      spy.mockRestore();
    }
  });

  it('stays right when the clock of the machine is set', async () => {
    const clock = await ServerClock.start(bus);
    const spy = setClock(FIVE_MINUTES_MS);
    try {
      await until(() => errorOf(clock) < FIVE_MINUTES_MS / 10, 'the time is right');
    } finally {
      spy.mockRestore();
      clock.stop();
    }
  });
});
