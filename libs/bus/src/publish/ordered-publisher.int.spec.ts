import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus } from '../connection/bus.ts';
import { readSubject } from '../read/read-subject.ts';
import { BusFixture, collect, event, until } from '../testing/fixture.ts';
import { OrderedPublisher } from './ordered-publisher.ts';

const idsOf = async (bus: Bus, subject: string): Promise<string[]> => {
  const ids: string[] = [];
  for await (const message of readSubject(bus, 'EVENTS', subject)) ids.push(message.msgId);
  return ids;
};

/** Next to the user of the fixture, which has all rights: one who may publish only signals. */
const LIMITED_USER = `
  no_auth_user: all
  authorization { users: [
    { user: all, password: all }
    { user: limited, password: limited, permissions: { publish: ["agent.>", "$JS.API.>"] } }
  ] }`;

describe('the ordered publisher', () => {
  let fixture: BusFixture;
  let bus: Bus;
  beforeAll(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
  });
  afterAll(() => fixture.stop());

  it('stores messages with CloudEvents headers and returns their receipts', async () => {
    const publisher = new OrderedPublisher(bus);
    const message = event('runtime.request.started.ws.headers', 'id-1', { type: 'runtime.request.started' });
    const stored = await new Promise((resolve) => {
      publisher.publish(
        {
          ...message,
          headers: { ...message.headers, causation: 'c-1', version: 3, reply: 'inbox.1.x', traceparent: '00-a-b-01' },
        },
        (_error, at) => resolve(at),
      );
    });
    expect(stored).toEqual({ stream: 'EVENTS', seq: expect.any(Number), duplicate: false });
    const [found] = await collect(readSubject(bus, 'EVENTS', message.subject));
    const header = (name: string) => found?.header(name);
    expect(['ce-id', 'ce-type', 'ce-source', 'ce-specversion', 'Nats-Msg-Id'].map(header)).toEqual([
      'id-1',
      'runtime.request.started',
      'test',
      '1.0',
      'id-1',
    ]);
    expect(['reins-causation', 'reins-version', 'reins-reply', 'traceparent'].map(header)).toEqual([
      'c-1',
      '3',
      'inbox.1.x',
      '00-a-b-01',
    ]);
    await publisher.close();
  });

  it('reports a duplicate message', async () => {
    const publisher = new OrderedPublisher(bus);
    const same = event('runtime.request.started.ws.repeat', 'same');
    const first = await publisher.publishAll([same]);
    expect(first).toEqual([{ stream: 'EVENTS', seq: expect.any(Number), duplicate: false }]);
    expect(await publisher.publishAll([same])).toEqual([{ ...first[0], duplicate: true }]);
    await publisher.close();
  });

  it('queues messages beyond the window and keeps the order', async () => {
    const publisher = new OrderedPublisher(bus, { windowMessages: 8 });
    const subject = 'runtime.request.started.ws.window';
    const most = { inFlight: 0, waiting: 0 };
    let full = 0;
    for (let n = 0; n < 200; n++) {
      const room = publisher.publish(event(subject, `w-${n}`));
      most.inFlight = Math.max(most.inFlight, publisher.inFlight);
      most.waiting = Math.max(most.waiting, publisher.backlog);
      if (room) continue;
      full++;
      await publisher.ready();
      expect(publisher.backlog).toBeLessThanOrEqual(2);
    }
    await publisher.settled();
    expect(full).toBeGreaterThan(10);
    expect(most).toEqual({ inFlight: 8, waiting: 8 });
    expect(await idsOf(bus, subject)).toEqual(Array.from({ length: 200 }, (_, n) => `w-${n}`));
    await publisher.close();
  });

  it('limits the bytes in flight', async () => {
    const publisher = new OrderedPublisher(bus, { windowBytes: 1_000 });
    const big = event('runtime.request.started.ws.bytes', 'b-1', { text: 'x'.repeat(2_000) });
    expect(publisher.publish(big)).toBe(true);
    expect(publisher.publish({ ...big, headers: { ...big.headers, id: 'b-2' } })).toBe(false);
    expect([publisher.inFlight, publisher.backlog]).toEqual([1, 1]);
    await publisher.settled();
    expect(await idsOf(bus, big.subject)).toEqual(['b-1', 'b-2']);
    await publisher.close();
  });

  it('rejects a second message on a subject that allows one, but accepts a repeat of the first', async () => {
    const publisher = new OrderedPublisher(bus);
    const terminal = { ...event('runtime.request.completed.ws.once', 'end-1'), expectedLastSubjectSeq: 0 };
    await publisher.publishAll([terminal]);
    await publisher.publishAll([terminal]);
    const rival = { ...event('runtime.request.completed.ws.once', 'end-2'), expectedLastSubjectSeq: 0 };
    await expect(publisher.publishAll([rival])).rejects.toMatchObject({
      code: 'bus_sequence_taken',
      path: rival.subject,
    });
    expect(await idsOf(bus, terminal.subject)).toEqual(['end-1']);
    await publisher.close();
  });

  it('rejects a message that is too large, and header injection', async () => {
    const publisher = new OrderedPublisher(bus);
    const large = event('runtime.request.started.ws.large', 'l-1', { text: 'x'.repeat(2_000_000) });
    expect(() => publisher.publish(large)).toThrow(expect.objectContaining({ code: 'bus_message_too_large' }));
    const injection = event('runtime.request.started.ws.large', 'l-2\r\nNats-Rollup: all');
    expect(() => publisher.publish(injection)).toThrow(expect.objectContaining({ code: 'message_invalid' }));
    await publisher.close();
  });

  it('rejects a message that no stream accepts, and continues with the others', async () => {
    const publisher = new OrderedPublisher(bus, { giveUpAfterMs: 150 });
    const outcomes = await Promise.allSettled([
      publisher.publishAll([event('no.stream.accepts.this', 'lost')]),
      publisher.publishAll([event('runtime.request.started.ws.accepted', 'kept')]),
    ]);
    expect(outcomes).toEqual([
      {
        status: 'rejected',
        reason: expect.objectContaining({ code: 'bus_unavailable', path: 'no.stream.accepts.this' }),
      },
      { status: 'fulfilled', value: [{ stream: 'EVENTS', seq: expect.any(Number), duplicate: false }] },
    ]);
    await publisher.close();
  });

  it('rejects a message on a subject that its user may not publish on, and continues with the others', async () => {
    const limited = await BusFixture.start({}, { config: LIMITED_USER });
    const own = await limited.connect('limited', { auth: { user: 'limited', password: 'limited' } });
    // It never sends again by itself.
    const publisher = new OrderedPublisher(own, { ackTimeoutMs: 3_600_000 });
    const outcomes = await Promise.allSettled([
      publisher.publishAll([event('runtime.request.started.ws.forbidden', 'f-1')]),
      publisher.publishAll([event('agent.tool.start.ws.allowed', 'a-1')]),
      publisher.publishAll([event('runtime.request.started.ws.forbidden', 'f-2')]),
    ]);
    const refused = {
      status: 'rejected',
      reason: expect.objectContaining({ code: 'bus_publish_refused', path: 'runtime.request.started.ws.forbidden' }),
    };
    expect(outcomes).toEqual([refused, { status: 'fulfilled', value: [expect.anything()] }, refused]);
    expect([publisher.inFlight, publisher.backlog]).toEqual([0, 0]);
    await publisher.close();
    await limited.stop();
  });

  it('rejects pending messages when the connection is closed', async () => {
    const own = await fixture.connect();
    const publisher = new OrderedPublisher(own, { windowMessages: 1 });
    const codes: unknown[] = [];
    for (let n = 0; n < 3; n++)
      publisher.publish(event('nowhere.at.all', `n-${n}`), (error) => codes.push(error?.code));
    await own.nc.close();
    await publisher.settled();
    await until(() => codes.length === 3, 'all are rejected');
    expect(codes).toEqual(['bus_closed', 'bus_closed', 'bus_closed']);
    expect(() => publisher.publish(event('x.y.z', 'late'))).toThrow(expect.objectContaining({ code: 'bus_closed' }));
  });
});

describe('the ordered publisher while the server is killed', () => {
  it('neither loses nor repeats messages, and keeps the order', async () => {
    const fixture = await BusFixture.start();
    const bus = await fixture.connect();
    const publisher = new OrderedPublisher(bus, { windowMessages: 64 });
    const subject = 'runtime.request.started.ws.killed';
    const total = 6_000;
    let acknowledged = 0;
    const refused: unknown[] = [];
    const publishing = (async () => {
      for (let n = 0; n < total; n++) {
        const room = publisher.publish(event(subject, `k-${n}`), (error) =>
          error ? refused.push(error) : acknowledged++,
        );
        if (!room) await publisher.ready();
      }
    })();
    for (const part of [1_000, 2_500, 4_000]) {
      await until(() => acknowledged >= part, `${part} are acknowledged`);
      await fixture.nats.kill();
      await fixture.nats.restart();
    }
    await publishing;
    await publisher.settled();
    expect(refused).toEqual([]);
    expect(acknowledged).toBe(total);
    expect(await idsOf(bus, subject)).toEqual(Array.from({ length: total }, (_, n) => `k-${n}`));
    await publisher.close();
    await fixture.stop();
  });
});
