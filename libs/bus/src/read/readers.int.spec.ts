import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tempDir } from '@reins/testing';
import type { Bus } from '../connection/bus.ts';
import { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { BusFixture, collect, event, until } from '../testing/fixture.ts';
import { FlakyLink } from '../testing/flaky-link.ts';
import { lastMessagePerSubject } from './last-message-per-subject.ts';
import { orderedReader, type ReaderGap } from './ordered-reader.ts';
import { readSubject } from './read-subject.ts';

describe('reading a subject', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let publisher: OrderedPublisher;
  beforeAll(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    publisher = new OrderedPublisher(bus);
  });
  afterAll(() => fixture.stop());

  it('returns all its messages in order, over many batches and among other subjects', async () => {
    const subject = 'journal.1.ws.long';
    for (let n = 0; n < 2_600; n++) {
      publisher.publish(event(n % 2 ? subject : `journal.1.ws.other-${n}`, `j-${n}`, { n }));
      if (n % 500 === 0) await publisher.ready();
    }
    await publisher.settled();
    const all = await collect(readSubject(bus, 'JOURNAL', subject));
    expect(all.map(({ msgId }) => msgId)).toEqual(Array.from({ length: 1_300 }, (_, n) => `j-${n * 2 + 1}`));
    const tail = await collect(readSubject(bus, 'JOURNAL', subject, { fromSeq: all[1_290]?.seq }));
    expect(tail.map(({ seq }) => seq)).toEqual(all.slice(1_290).map(({ seq }) => seq));
  });

  it('returns nothing for a subject without messages', async () => {
    expect(await collect(readSubject(bus, 'JOURNAL', 'journal.1.ws.none'))).toEqual([]);
    expect(await collect(readSubject(bus, 'JOURNAL', 'journal.1.ws.long', { fromSeq: 1e9 }))).toEqual([]);
  });

  it('ends when the last messages of a subject are removed while it reads', async () => {
    const subject = 'journal.1.ws.removed';
    for (const text of ['a', 'b', 'c']) await bus.js.publish(subject, text);
    const read: string[] = [];
    for await (const { data } of readSubject(bus, 'JOURNAL', subject, { batch: 1 })) {
      read.push(Buffer.from(data).toString());
      if (read.length === 1) await bus.jsm.streams.purge('JOURNAL', { filter: subject });
    }
    expect(read).toEqual(['a']);
  });
});

describe('the last messages of many subjects', () => {
  let fixture: BusFixture;
  beforeAll(async () => {
    fixture = await BusFixture.start();
  });
  afterAll(() => fixture.stop());

  it('are read together for the subjects of the filter', async () => {
    const bus = await fixture.connect();
    const publisher = new OrderedPublisher(bus);
    const subjects = Array.from({ length: 3_000 }, (_, n) => `journal.2.ws.run-${n}`);
    await publisher.publishAll(subjects.flatMap((subject, n) => [event(subject, `a-${n}`), event(subject, `b-${n}`)]));
    await publisher.publishAll([event('journal.3.ws.run-0', 'c-0')]);
    const last: string[] = [];
    await lastMessagePerSubject(bus, 'JOURNAL', 'journal.2.>', ({ msgId }) => void last.push(msgId));
    expect(last.sort()).toEqual(subjects.map((_, n) => `b-${n}`).sort());
    await lastMessagePerSubject(bus, 'JOURNAL', 'journal.1.>', () => expect(true).toBe(false));
  });

  it('are complete although some are removed before they are delivered', async () => {
    const bus = await fixture.connect();
    const publisher = new OrderedPublisher(bus);
    await publisher.publishAll(Array.from({ length: 3_000 }, (_, n) => event(`journal.0.ws.gone-${n}`, `g-${n}`)));
    let read = 0;
    await lastMessagePerSubject(bus, 'JOURNAL', 'journal.0.>', async () => {
      // The reader has not requested all of them yet.
      if (read === 0) await bus.jsm.streams.purge('JOURNAL', { filter: 'journal.0.>' });
      read += 1;
    });
    expect(read).toBeLessThan(3_000);
  });

  it('reject when one cannot be handled', async () => {
    const bus = await fixture.connect();
    const fail = () => Promise.reject(new Error('no'));
    await expect(lastMessagePerSubject(bus, 'JOURNAL', 'journal.2.>', fail)).rejects.toThrow('no');
  });
});

describe('an ordered reader', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let publisher: OrderedPublisher;
  beforeAll(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    publisher = new OrderedPublisher(bus);
  });
  afterAll(() => fixture.stop());

  const publish = (first: number, count: number) =>
    publisher.publishAll(
      Array.from({ length: count }, (_, n) => event('runtime.request.started.ws.reader', `r-${first + n}`)),
    );

  it('delivers each message once and in order across server kills, and waits for slow handlers', async () => {
    const seen: number[] = [];
    const gaps: ReaderGap[] = [];
    let busy = false;
    const reader = await orderedReader(bus, {
      stream: 'EVENTS',
      from: 1,
      prefetch: 50,
      onGap: (gap) => gaps.push(gap),
      onMessage: async (message) => {
        expect(busy).toBe(false);
        busy = true;
        await Promise.resolve();
        busy = false;
        seen.push(message.seq);
      },
    });
    await publish(0, 300);
    await until(() => seen.length >= 100, 'a hundred are read');
    await fixture.nats.kill();
    await fixture.nats.restart();
    await publish(300, 300);
    await until(() => seen.length >= 600, 'all are read');
    await reader.stop();
    expect(seen).toEqual(Array.from({ length: 600 }, (_, n) => n + 1));
    expect([gaps, reader.position, await reader.closed]).toEqual([[], 600, 'stopped']);
  });

  it('starts at the requested sequence, applies its filters, and reads new messages', async () => {
    const late: string[] = [];
    const fresh: string[] = [];
    const tail = await orderedReader(bus, {
      stream: 'EVENTS',
      from: 599,
      filters: ['runtime.request.started.>', 'runtime.request.completed.>'],
      onMessage: (message) => void late.push(message.msgId),
    });
    const live = await orderedReader(bus, {
      stream: 'EVENTS',
      from: 'new',
      filters: ['runtime.request.completed.>'],
      onMessage: (message) => void fresh.push(message.msgId),
    });
    await publisher.publishAll([
      event('runtime.request.waiting.ws.reader', 'unwanted'),
      event('runtime.request.completed.ws.reader', 'done'),
    ]);
    await until(() => late.length === 3 && fresh.length === 1, 'both have read');
    expect([late, fresh]).toEqual([['r-598', 'r-599', 'done'], ['done']]);
    await Promise.all([tail.stop(), live.stop()]);
  });

  it('reports messages trimmed before they were read, and continues after them', async () => {
    const { state } = await bus.jsm.streams.info('EVENTS');
    const gaps: ReaderGap[] = [];
    const seen: number[] = [];
    const reader = await orderedReader(bus, {
      stream: 'EVENTS',
      from: state.last_seq,
      onGap: (gap) => gaps.push(gap),
      onMessage: (message) => void seen.push(message.seq),
    });
    await until(() => seen.length === 1, 'the reader is at the end');
    await fixture.nats.kill();
    await fixture.nats.restart();
    const other = await fixture.connect('other');
    const more = new OrderedPublisher(other);
    await more.publishAll(Array.from({ length: 10 }, (_, n) => event('runtime.request.started.ws.gap', `g-${n}`)));
    await until(() => reader.position === state.last_seq + 10, 'it has caught up');
    expect(seen).toEqual(Array.from({ length: 11 }, (_, n) => state.last_seq + n));
    await reader.stop();
  });

  it('ends with the error of onMessage', async () => {
    const reader = await orderedReader(bus, {
      stream: 'EVENTS',
      from: 1,
      onMessage: () => Promise.reject(new Error('broken projection')),
    });
    await expect(reader.closed).rejects.toThrow('broken projection');
    expect(reader.position).toBe(0);
  });
});

describe('a log that was set back and has grown past the position of a reader', () => {
  it('is recognised when the reader is connected again, and its new messages are read', async () => {
    const fixture = await BusFixture.start();
    const backup = await tempDir('backup');
    const { nats } = fixture;
    const append = async (prefix: string, count: number) => {
      const bus = await fixture.connect('writer');
      const subject = 'runtime.request.started.ws.set-back';
      const events = Array.from({ length: count }, (_, n) => event(subject, `${prefix}${n}`));
      await new OrderedPublisher(bus).publishAll(events);
      await bus.close();
    };
    await append('kept-', 5);
    await nats.stop();
    await cp(nats.dir, backup, { recursive: true });
    await nats.restart();
    const link = await FlakyLink.start(nats.port);
    const bus = await fixture.connect('reader', { servers: link.url });
    const seen: string[] = [];
    const gaps: ReaderGap[] = [];
    const reader = await orderedReader(bus, {
      stream: 'EVENTS',
      from: 1,
      onGap: (gap) => gaps.push(gap),
      onMessage: (message) => void seen.push(message.msgId),
    });
    await append('lost-', 3);
    await until(() => seen.length === 8, 'all are read');
    link.lose('replies');
    await nats.kill();
    await rm(nats.dir, { recursive: true });
    await cp(backup, nats.dir, { recursive: true });
    await nats.restart();
    await append('new-', 5);
    link.cut();
    await until(() => reader.position === 10, 'the reader is at the end');
    expect(seen.slice(8)).toEqual(Array.from({ length: 5 }, (_, n) => `new-${n}`));
    expect(gaps).toEqual([{ reason: 'rewound', expectedSeq: 9, nextSeq: 6 }]);
    await reader.stop();
    link.stop();
    await fixture.stop();
  });
});

describe('readers with restricted names', () => {
  let fixture: BusFixture;
  beforeAll(async () => {
    fixture = await BusFixture.start();
  });
  afterAll(() => fixture.stop());

  it('each have a name of their own, which another reader can use afterwards', async () => {
    const names = ['reader-a-0', 'reader-a-1'];
    const bus = await fixture.connect('restricted', {
      readerNames: (stream) => (stream === 'EVENTS' ? names : undefined),
    });
    const start = () => orderedReader(bus, { stream: 'EVENTS', from: 'new', onMessage: () => {} });
    const consumers = async () => (await bus.jsm.consumers.list('EVENTS').next()).map(({ name }) => name);
    const [first] = [await start(), await start()];
    expect(await consumers()).toEqual(expect.arrayContaining(names));
    await expect(start()).rejects.toMatchObject({
      code: 'bus_unavailable',
      message: 'all 2 readers of EVENTS are in use',
    });
    await first.stop();
    await (await start()).stop();
  });
});
