import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, consume, OrderedPublisher, provision, STAGE_WORK_TYPE, workerDurable } from '@reins/bus';
import { eventSubject } from '@reins/contracts';
import { startNats, type TestNats, until } from '@reins/testing';
import { busStageQueue } from './bus-stage-queue.ts';

let nats: TestNats;
let bus: Bus;
let publisher: OrderedPublisher;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 1, replicas: 1, runtimeIds: ['pi', 'echo'] });
  publisher = new OrderedPublisher(bus);
});
afterAll(async () => {
  await publisher.close();
  await bus.close();
  await nats.stop();
});

const runOf = (runId: string) => ({ workspaceId: 'ws', runId });

async function request(requestId: string, runtimeId = 'pi'): Promise<void> {
  const subject = eventSubject({ type: STAGE_WORK_TYPE, workspaceId: 'ws', requestId, runtimeId });
  const headers = { id: crypto.randomUUID(), type: STAGE_WORK_TYPE, source: 'test', time: '2026-01-01T00:00:00.000Z' };
  await publisher.publishAll([{ subject, data: new TextEncoder().encode('{}'), headers }]);
}

test('holds the requests that no host has answered', async () => {
  const { holds } = busStageQueue(bus);
  const holdsAll = () => Promise.all(['first', 'second', 'lost'].map((runId) => holds(runOf(runId), 'pi')));
  await request('first');
  await request('second');
  await request('lost', 'echo');
  expect(await holdsAll()).toEqual([true, true, false]);
  const second = Promise.withResolvers<void>();
  const host = await consume(bus, {
    stream: 'EVENTS',
    durable: workerDurable(STAGE_WORK_TYPE, 'pi'),
    concurrency: 1,
    handler: ({ subject }) => (subject.includes('second') ? second.promise : undefined),
  });
  await until(async () => !(await holds(runOf('first'), 'pi')), { what: 'the answer to the first request' });
  expect(await holdsAll()).toEqual([false, true, false]);
  second.resolve();
  await until(async () => !(await holds(runOf('second'), 'pi')), { what: 'the answer to the second request' });
  await request('second');
  expect(await holds(runOf('second'), 'echo')).toBe(false);
  await host.stop();
});
