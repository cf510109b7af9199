import { Worker } from 'node:worker_threads';
import type { SimulationResult } from './simulate.ts';

export interface ManyOptions {
  readonly from: number;
  readonly seeds: number;
  readonly threads: number;
  /** Heard of after every seed. */
  readonly onDone: (result: SeedResult) => void;
}

export type SeedResult = Omit<SimulationResult, 'trace'>;

/** What a thread is to do: every `step`-th seed of the range. */
export interface Share {
  readonly from: number;
  readonly until: number;
  readonly step: number;
}

/** Many seeds on several threads; each seed is the same on every thread. @throws what ended a thread */
export async function simulateMany({ from, onDone, seeds, threads }: ManyOptions): Promise<void> {
  const shares = Array.from({ length: Math.min(threads, seeds) }, (_, thread): Share => {
    return { from: from + thread, until: from + seeds, step: threads };
  });
  await Promise.all(shares.map((share) => runShare(share, onDone)));
}

function runShare(share: Share, onDone: ManyOptions['onDone']): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: share });
    worker.on('message', onDone);
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`))));
  });
}
