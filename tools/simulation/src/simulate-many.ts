import { Worker } from 'node:worker_threads';
import type { SimulationResult } from './simulate.ts';

export interface SimulateManyOptions {
  readonly from: number;
  readonly seeds: number;
  readonly losesPower: boolean | undefined;
  readonly threads: number;
  /** Called after every seed. */
  readonly onDone: (result: SeedResult) => void;
}

export type SeedResult = Omit<SimulationResult, 'trace'>;

/** The seeds of one thread: every `step`-th seed of the range. */
export interface SeedShare {
  readonly from: number;
  readonly until: number;
  readonly step: number;
  readonly losesPower: boolean | undefined;
}

/** Simulates many seeds on several threads. A seed gives the same result on every thread. @throws the error that ended a thread */
export async function simulateMany({ from, losesPower, onDone, seeds, threads }: SimulateManyOptions): Promise<void> {
  const shares = Array.from({ length: Math.min(threads, seeds) }, (_, thread): SeedShare => {
    return { from: from + thread, until: from + seeds, step: threads, losesPower };
  });
  await Promise.all(shares.map((share) => runShare(share, onDone)));
}

function runShare(share: SeedShare, onDone: SimulateManyOptions['onDone']): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: share });
    worker.on('message', onDone);
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread exited with code ${code}`))));
  });
}
