import { parentPort, workerData } from 'node:worker_threads';
import { simulate } from './simulate.ts';
import type { SeedShare } from './simulate-many.ts';

/** A thread of `simulateMany`. Stack traces are disabled: simulated errors are frequent, and traces cost a tenth of the time. */
Error.stackTraceLimit = 0;
const { from, losesPower, step, until } = workerData as SeedShare;
for (let seed = from; seed < until; seed += step) {
  const { trace: _, ...result } = await simulate({ seed, losesPower });
  parentPort?.postMessage(result);
}
process.exit(0);
