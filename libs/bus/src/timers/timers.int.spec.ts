import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus } from '../connection/bus.ts';
import type { Consumption } from '../consume/consumption.ts';
import { consumeInbox } from '../partitions/inbox.ts';
import { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { BusFixture, json, leaseOf, until } from '../testing/fixture.ts';
import { type TimerRequest, Timers } from './timers.ts';

describe('timers', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let publisher: OrderedPublisher;
  let inbox: Consumption;
  const fired: { id: string; at: number; scheduler: string | undefined }[] = [];
  beforeAll(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    publisher = new OrderedPublisher(bus);
    inbox = await consumeInbox(bus, {
      lease: leaseOf(1, 1),
      leases: { verify: async () => true },
      concurrency: 8,
      handler: (message) => {
        const { id } = message.json() as { id: string };
        fired.push({ id, at: Date.now(), scheduler: message.header('Nats-Scheduler') });
      },
    });
  });
  afterEach(() => {
    fired.length = 0;
  });
  afterAll(async () => {
    await inbox.stop();
    await fixture.stop();
  });

  const timer = (id: string, inMs: number, effect = id): TimerRequest => ({
    subject: `schedule.1.ws.run.${effect}`,
    target: `inbox.1.timer.due.ws.run.${effect}`,
    due: new Date(Date.now() + inMs),
    data: json({ id }),
    headers: { id, type: 'timer.due', source: 'test', time: new Date().toISOString() },
  });

  it('with a short delay fire from this process', async () => {
    const timers = new Timers(bus, { publisher });
    const short = timer('short', 30);
    await timers.set(short);
    await until(() => fired.length === 1, 'it has fired');
    expect(fired[0]).toMatchObject({ id: 'short', scheduler: undefined });
    expect(fired[0]?.at).toBeGreaterThanOrEqual(short.due.getTime() - 1);
    expect(await timers.cancel(short.subject)).toBe(false);
  });

  it('with a long delay fire from the stream after the server was killed and this process ended', async () => {
    const timers = new Timers(bus, { publisher, inMemoryBelowMs: 0 });
    const long = timer('long', 1_500);
    await timers.set(long);
    timers.drop();
    await fixture.nats.kill();
    await fixture.nats.restart();
    await until(() => fired.length === 1, 'it has fired');
    expect(fired[0]).toMatchObject({ id: 'long', scheduler: long.subject });
    expect(fired[0]?.at).toBeGreaterThanOrEqual(long.due.getTime());
    expect(await timers.cancel(long.subject)).toBe(false);
  });

  it('are cancelled, and report whether they had fired', async () => {
    const inStream = new Timers(bus, { publisher, inMemoryBelowMs: 0 });
    const inMemory = new Timers(bus, { publisher });
    const [long, short] = [timer('c-long', 60_000), timer('c-short', 25_000)];
    await inStream.set(long);
    await inMemory.set(short);
    expect([await inStream.cancel(long.subject), await inMemory.cancel(short.subject)]).toEqual([true, true]);
    expect([await inStream.cancel(long.subject), await inMemory.cancel(short.subject)]).toEqual([false, false]);
    expect(fired).toEqual([]);
  });

  it('fire again when they are set again under the same id', async () => {
    const timers = new Timers(bus, { publisher, inMemoryBelowMs: 0 });
    await timers.set(timer('early', 400));
    await until(() => fired.length === 1, 'it has fired');
    await timers.set(timer('early', 400));
    await until(() => fired.length === 2, 'it has fired again');
  });

  it('are replaced when set again', async () => {
    const timers = new Timers(bus, { publisher, inMemoryBelowMs: 0 });
    await timers.set(timer('first', 60_000, 'same'));
    await timers.set(timer('second', 400, 'same'));
    await until(() => fired.length === 1, 'one has fired');
    expect(fired[0]?.id).toBe('second');
    expect(await timers.cancel('schedule.1.ws.run.same')).toBe(false);
  });
});
