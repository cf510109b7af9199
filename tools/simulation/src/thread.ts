import { parentPort, workerData } from 'node:worker_threads';
import type { Share } from './many.ts';
import { simulate } from './simulate.ts';

/** A thread of `simulateMany`. */
const { from, step, until } = workerData as Share;
for (let seed = from; seed < until; seed += step) {
  const { trace: _, ...result } = await simulate({ seed });
  parentPort?.postMessage(result);
}
process.exit(0);
