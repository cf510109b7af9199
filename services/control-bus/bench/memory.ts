/**
 * Measures the owner's memory for runs that wait for a signal: 10,000 evicted runs, and 1,000 runs in memory.
 * Counts heap and external memory after garbage collection: `npm run bench -- memory`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { OwnerBench } from './owner.ts';

const WAITING = 10_000;
const LIVE = 1_000;
const BATCH = 500;
const REST_MS = 50;

const collect = globalThis.gc;
if (!collect) throw new Error('run it with --expose-gc');

async function bytes(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    collect?.();
    await sleep(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measure(count: number, inMemoryMs: number, inMemory: number): Promise<object> {
  const bench = await OwnerBench.start({ waiter: (context) => context.signal('go') }, inMemoryMs);
  const wait = (from: number, to: number): Promise<void> => {
    const ids = Array.from({ length: to - from }, (_, run) => `w${from + run}`);
    return bench.submitUntil('runtime.request.waiting', ids, 'waiter', null);
  };
  // Warm-up: compiled code and the like must not count.
  await wait(0, BATCH);
  const settled = async (runs: number): Promise<void> => {
    while (bench.owner.runs !== runs) await sleep(REST_MS);
  };
  await settled(inMemory && BATCH);
  const before = await bytes();
  for (let from = BATCH; from < count + BATCH; from += BATCH) await wait(from, from + BATCH);
  await settled(inMemory && count + BATCH);
  const result = {
    runs: count,
    inMemory: bench.owner.runs,
    bytesOfOne: Math.round(((await bytes()) - before) / count),
  };
  await bench.stop();
  return result;
}

const result = { waiting: await measure(WAITING, REST_MS, 0), live: await measure(LIVE, 600_000, 1) };
console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
process.exit(0);
