import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { type Bus, type BusMessage, connectBus, openBucket, provision } from '@reins/bus';
import { startNats, type TestNats, until } from '@reins/testing';
import { startService } from '../boot/start-service.ts';
import { METRICS } from '../metrics/metrics.ts';
import { Settings } from '../settings/settings.ts';
import { type LogReading, type LogStart, OnLog } from './on-log.ts';

let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provisionStreams();
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

const provisionStreams = () => provision(bus, { managed: 'self', partitions: 16, replicas: 1, runtimeIds: [] });

/** What the handlers of one service have seen. */
class Seen {
  readonly events: string[] = [];
  readonly failing = new Set<string>();
  readonly gates = new Map<string, PromiseWithResolvers<void>>();
  missed = 0;
  starts = 0;
  ended = 0;
  reading: LogReading | undefined;

  async take({ subject }: BusMessage): Promise<void> {
    const run = subject.split('.').slice(-1).join();
    if (this.failing.delete(run)) throw new Error('not yet');
    await this.gates.get(run)?.promise;
    this.events.push(run);
  }
}

let seen = new Seen();

@Injectable()
class SavedHandlers {
  @OnLog('EVENTS', { position: { key: 'saved', concurrency: 2 }, gaps: METRICS.narratorGaps, filters: ['runtime.>'] })
  async handle(message: BusMessage): Promise<void> {
    await seen.take(message);
  }
}

@Injectable()
class NewHandlers {
  @OnLog<NewHandlers>('EVENTS', {
    position: 'new',
    gaps: METRICS.gatewayGaps,
    onMissed: () => {
      seen.missed += 1;
    },
    requiredForReadiness: true,
  })
  async handle(message: BusMessage, { created }: LogReading): Promise<void> {
    expect(Date.parse(created)).toBeGreaterThan(0);
    await seen.take(message);
  }
}

@Injectable()
class OwnHandlers {
  async start(reading: LogReading): Promise<LogStart> {
    seen.starts += 1;
    seen.reading = reading;
    void reading.ended.then(() => {
      seen.ended += 1;
    });
    return { from: { seq: 0 } };
  }

  @OnLog<OwnHandlers>('EVENTS', {
    position: (handlers, reading) => handlers.start(reading),
    gaps: METRICS.projectorGaps,
  })
  async handle(message: BusMessage): Promise<void> {
    await seen.take(message);
  }
}

async function start(handlers: new () => object) {
  @Module({ providers: [handlers] })
  class HandlersModule {}
  seen = new Seen();
  const settings = new Settings();
  settings.nats.url = nats.url;
  settings.http.portBase = 0;
  settings.log.level = 'error';
  return startService({ name: 'narrator', module: HandlersModule }, settings);
}

const publish = (run: string) => bus.js.publish(`runtime.request.started.ws.${run}`, '{}');
const positionOf = async () =>
  (await (await openBucket<{ readonly seq: number }>(bus, 'positions')).get('saved'))?.value;

test('a saved position: a new reader starts with new events, and continues after a restart of the service', async () => {
  await publish('before');
  let service = await start(SavedHandlers);
  await until(async () =>
    (await bus.jsm.consumers.list('EVENTS').next()).some(({ name }) => name.startsWith('reader-')),
  );
  await publish('one');
  await until(() => seen.events.length === 1);
  await service.stop();
  await publish('two');
  service = await start(SavedHandlers);
  await until(() => seen.events.length === 1);
  expect(seen.events).toEqual(['two']);
  await service.stop();
});

test('events of one run are handled in order, those of others concurrently; the position is before the oldest', async () => {
  const service = await start(SavedHandlers);
  const first = Promise.withResolvers<void>();
  seen.gates.set('slow', first);
  const { seq } = await publish('slow');
  await publish('quick');
  await until(() => seen.events.length === 1);
  await publish('quick');
  await until(() => seen.events.length === 2);
  await until(async () => (await positionOf())?.seq === seq - 1);
  expect(seen.events).toEqual(['quick', 'quick']);
  first.resolve();
  await until(() => seen.events.length === 3);
  await service.stop();
  expect(await positionOf()).toMatchObject({ seq: seq + 2 });
});

test('an event whose handler fails is read again', async () => {
  const service = await start(SavedHandlers);
  seen.failing.add('flaky');
  await publish('flaky');
  await until(() => seen.events.includes('flaky'));
  await service.stop();
});

test('a stop does not wait for events that are being handled', async () => {
  const service = await start(SavedHandlers);
  seen.gates.set('a', Promise.withResolvers<void>());
  const { seq } = await publish('a');
  await publish('a');
  await publish('b');
  await until(() => (seen.events.length === 0 ? positionOf().then((position) => position?.seq === seq - 1) : true));
  await service.stop();
  expect(await positionOf()).toMatchObject({ seq: seq - 1 });
});

test('messages may be missed at a start, at a gap and at an end, and only a reading service is ready', async () => {
  const service = await start(NewHandlers);
  const ready = async () => (await fetch(`${service.url}/readyz`)).status;
  await until(async () => (await ready()) === 200);
  expect(seen.missed).toBe(1);
  await publish('one');
  await until(() => seen.events.length === 1);
  await bus.jsm.streams.delete('EVENTS');
  await until(async () => (await ready()) === 503);
  const { missed } = seen;
  expect(missed).toBeGreaterThan(1);
  await provisionStreams();
  await until(async () => (await ready()) === 200);
  expect(seen.missed).toBeGreaterThan(missed);
  await service.stop();
});

test('a handler may say where each reading starts, and start the next one', async () => {
  await publish('first');
  const service = await start(OwnHandlers);
  await until(() => seen.events.length > 0);
  seen.reading?.restart();
  await until(() => seen.starts === 2 && seen.events.length === 2);
  expect(seen.events).toEqual(['first', 'first']);
  seen.reading?.countGap('rewound');
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^reins_projector_gaps_total\{reason="rewound"[^}]*\} 1$/m);
  await service.stop();
});

test('a reading that cannot start has ended', async () => {
  const service = await start(OwnHandlers);
  await until(() => seen.starts === 1);
  await bus.jsm.streams.delete('EVENTS');
  await until(() => seen.ended > 1);
  await provisionStreams();
  await service.stop();
});
