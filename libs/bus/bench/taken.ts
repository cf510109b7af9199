/**
 * Measures how fast a durable delivers new work while workers have taken many messages and keep them, as live stages
 * do: `npm run bench -- taken`. Workers extend the ack deadline of what they have taken.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startNats } from '@reins/testing';
import { connectBus, consume, OrderedPublisher, provision, STAGE_WORK_TYPE, workerDurable } from '../src/index.ts';

const TAKEN = [0, 20_000, 100_000] as const;
const NEW = 2_000;
const PUBLISH_BATCH = 10_000;
/** Until the first extensions of ack deadlines. */
const SETTLE_MS = 6_000;

interface Result {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const body = new TextEncoder().encode('{}');
const message = (id: string) => ({
  subject: `${STAGE_WORK_TYPE}.ws.${id}.bench`,
  data: body,
  headers: { id, type: STAGE_WORK_TYPE, source: 'bench', time: '2026-01-01T00:00:00.000Z' },
});

async function measure(taken: number): Promise<Result> {
  const nats = await startNats();
  const bus = await connectBus({ servers: nats.url, name: 'bench' });
  const publisher = new OrderedPublisher(bus);
  await provision(bus, { partitions: 1, replicas: 1, runtimeIds: ['bench'], managed: 'self' });
  let held = 0;
  let received = (): void => {};
  const never = new Promise<void>(() => {});
  const worker = await consume(bus, {
    stream: 'EVENTS',
    durable: workerDurable(STAGE_WORK_TYPE, 'bench'),
    concurrency: taken + 1,
    handler: () => {
      if (held === taken) return received();
      held += 1;
      return never;
    },
  });
  for (let from = 0; from < taken; from += PUBLISH_BATCH)
    await publisher.publishAll(Array.from({ length: PUBLISH_BATCH }, (_, index) => message(`taken-${from + index}`)));
  while (held < taken) await sleep(1);
  await sleep(SETTLE_MS);
  const times: number[] = [];
  for (let index = 0; index < NEW; index += 1) {
    const delivered = new Promise<void>((resolve) => {
      received = resolve;
    });
    const start = performance.now();
    publisher.publish(message(`new-${index}`), () => {});
    await delivered;
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => Math.round((times[Math.floor(NEW * share)] ?? 0) * 100) / 100;
  worker.abandon();
  await publisher.close();
  await bus.close();
  await nats.stop();
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

const results: Record<string, Result> = {};
for (const taken of TAKEN) results[`${taken} taken`] = await measure(taken);
console.log(JSON.stringify(results, null, process.argv.includes('--json') ? 0 : 2));
