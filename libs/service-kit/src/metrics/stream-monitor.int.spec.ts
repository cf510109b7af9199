import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, OrderedPublisher, provision } from '@reins/bus';
import { startNats, type TestNats } from '@reins/testing';
import { Registry } from 'prom-client';
import { createLogger } from '../logging/logger.ts';
import { StreamMonitor } from './stream-monitor.ts';

let nats: TestNats;
let bus: Bus;
const metrics = new Registry();
const lines: string[] = [];
const log = createLogger('test', 'info', { write: (line: string) => void lines.push(line) });

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 1, replicas: 1, runtimeIds: ['echo'] });
});

afterAll(async () => {
  await bus?.close();
  await nats?.stop();
});

const publish = async (count: number): Promise<void> => {
  const publisher = new OrderedPublisher(bus);
  const type = 'runtime.plan.requested';
  const headers = (id: string) => ({ id, type, source: 'test', time: new Date().toISOString() });
  const data = new Uint8Array(1_000);
  await publisher.publishAll(
    Array.from({ length: count }, (_, n) => ({ subject: `${type}.w.r`, data, headers: headers(`m${n}`) })),
  );
  await publisher.close();
};

test('reports the load of streams and consumers, and logs one alarm for a stream that is almost full', async () => {
  const monitor = new StreamMonitor(bus, log, metrics);
  await bus.jsm.streams.update('EVENTS', { max_bytes: 20_000 });
  await publish(14);
  await monitor.poll();
  await monitor.poll();
  const text = await metrics.metrics();
  expect(text).toContain('reins_stream_messages{stream="EVENTS"} 14');
  expect(text).toContain('reins_consumer_pending{stream="EVENTS",consumer="runtime-plan-requested"} 14');
  expect(text).toContain('reins_dead_messages 0');
  const [, fill] = /reins_stream_fill_ratio\{stream="EVENTS"\} (\S+)/.exec(text) ?? [];
  expect(Number(fill)).toBeGreaterThan(0.7);
  expect(text).not.toContain('reins_stream_fill_ratio{stream="DELTAS"}');
  const alarms = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
  expect(alarms).toEqual([expect.objectContaining({ stream: 'EVENTS', messages: 14 })]);
});
