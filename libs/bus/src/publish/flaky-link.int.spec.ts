import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '../connection/bus.ts';
import { readSubject } from '../read/read-subject.ts';
import { BusFixture, collect, event, json, until } from '../testing/fixture.ts';
import { FlakyLink } from '../testing/flaky-link.ts';
import { Appender } from './appender.ts';
import { OrderedPublisher } from './ordered-publisher.ts';

describe('on an unreliable connection', () => {
  let fixture: BusFixture;
  let direct: Bus;
  let link: FlakyLink;
  let bus: Bus;
  beforeAll(async () => {
    fixture = await BusFixture.start();
    direct = await fixture.connect('direct');
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    link = await FlakyLink.start(fixture.nats.port);
    bus = await connectBus({ servers: link.url, name: 'flaky' });
  });
  afterEach(async () => {
    await bus.close();
    link.stop();
  });

  const idsOf = async (stream: string, subject: string) =>
    (await collect(readSubject(direct, stream, subject))).map(({ msgId }) => msgId);
  /** Message ids are deduplicated stream-wide, so each test uses its own. */
  const range = (name: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `${name}-${from + n}`);

  describe('the publisher', () => {
    const publishAll = (publisher: OrderedPublisher, subject: string, ids: string[]) =>
      publisher.publishAll(ids.map((id) => event(subject, id)));

    it('knows what was stored although the acknowledgements were lost', async () => {
      const publisher = new OrderedPublisher(bus);
      const subject = 'runtime.request.started.ws.answers';
      link.lose('replies');
      const published = publishAll(publisher, subject, range('answers', 0, 20));
      await until(async () => (await idsOf('EVENTS', subject)).length === 20, 'all are stored');
      expect(publisher.inFlight).toBe(20);
      link.cut();
      await published;
      expect(await idsOf('EVENTS', subject)).toEqual(range('answers', 0, 20));
    });

    it('keeps the order of lost and new messages, even of one published at the moment of the reconnect', async () => {
      const publisher = new OrderedPublisher(bus);
      const subject = 'runtime.request.started.ws.overtake';
      const before = bus.nc.info;
      link.lose('requests');
      const lost = publishAll(publisher, subject, range('overtake', 0, 20));
      link.cut();
      await until(() => bus.nc.info !== undefined && bus.nc.info !== before, 'the server has sent INFO');
      const late = publishAll(publisher, subject, range('overtake', 20, 40));
      await Promise.all([lost, late]);
      expect(await idsOf('EVENTS', subject)).toEqual(range('overtake', 0, 40));
    });

    it('accepts messages while disconnected', async () => {
      const publisher = new OrderedPublisher(bus);
      const subject = 'runtime.request.started.ws.away';
      link.cut();
      await until(() => bus.state === 'disconnected', 'the loss is noticed');
      await publishAll(publisher, subject, range('away', 0, 20));
      expect(await idsOf('EVENTS', subject)).toEqual(range('away', 0, 20));
    });

    it('recognises its own terminal fact although the acknowledgement was lost', async () => {
      const publisher = new OrderedPublisher(bus);
      const terminal = { ...event('runtime.request.completed.ws.lost', 'end'), expectedLastSubjectSeq: 0 };
      link.lose('replies');
      const published = publisher.publishAll([terminal]);
      await until(async () => (await idsOf('EVENTS', terminal.subject)).length === 1, 'it is stored');
      link.cut();
      await published;
      expect(await idsOf('EVENTS', terminal.subject)).toEqual(['end']);
    });
  });

  describe('an append', () => {
    const commit = (run: string) => ({
      subject: `journal.1.ws.${run}`,
      data: json({}),
      msgId: `${run}-mine`,
      expectedLastSubjectSeq: 0,
    });

    it('is stored once when its acknowledgement is lost', async () => {
      const appender = new Appender(bus, { stream: 'JOURNAL' });
      const request = commit('answer');
      link.lose('replies');
      const appended = appender.append(request);
      await until(async () => (await idsOf('JOURNAL', request.subject)).length === 1, 'it is stored');
      link.cut();
      expect((await appended).outcome).toBe('stored');
      expect(await idsOf('JOURNAL', request.subject)).toEqual([request.msgId]);
    });

    it('is sent again when the request is lost', async () => {
      const appender = new Appender(bus, { stream: 'JOURNAL' });
      const request = commit('request');
      link.lose('requests');
      const appended = appender.append(request);
      link.cut();
      expect((await appended).outcome).toBe('stored');
      expect(await idsOf('JOURNAL', request.subject)).toEqual([request.msgId]);
    });

    it('is fenced when it is lost and another writer appends first', async () => {
      const appender = new Appender(bus, { stream: 'JOURNAL' });
      const rival = new Appender(direct, { stream: 'JOURNAL' });
      const request = commit('rival');
      link.lose('requests');
      const appended = appender.append(request);
      await rival.append({ ...request, msgId: 'theirs' });
      link.cut();
      expect(await appended).toMatchObject({ outcome: 'fenced', last: { msgId: 'theirs' } });
      rival.close();
    });

    it('queries the leader when the acknowledgement is missing on an intact connection', async () => {
      const appender = new Appender(bus, { stream: 'JOURNAL', ackTimeoutMs: 200, giveUpAfterMs: 1_500 });
      const request = commit('silent');
      link.lose('replies');
      await expect(appender.append(request)).rejects.toMatchObject({ code: 'bus_unavailable' });
      expect(await idsOf('JOURNAL', request.subject)).toEqual([request.msgId]);
      link.cut();
    });
  });
});
