import { Worker } from 'node:worker_threads';
import type { TextJob } from './extract-text.ts';

/** TypeScript sources start a TypeScript worker, and compiled code a compiled one. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const WORKER = new URL(`./extract-worker.${EXTENSION}`, import.meta.url);
const MAX_CONCURRENT = 2;

export interface ExtractorLimits {
  /** Milliseconds for one document. */
  readonly deadlineMs: number;
  /** Megabytes of heap for one document. */
  readonly memoryMb: number;
}

/** Extracts the text of documents. Each runs in its own worker thread with a deadline, two at a time. */
export class TextExtractor {
  readonly #limits: ExtractorLimits;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: ExtractorLimits) {
    this.#limits = limits;
  }

  /** @throws Error with the reason: invalid, too much memory, timeout */
  async extract(job: TextJob): Promise<string> {
    await this.#slot();
    try {
      return await this.#runInThread(job);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #slot(): Promise<void> {
    while (this.#running >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  async #runInThread(job: TextJob): Promise<string> {
    const { deadlineMs, memoryMb } = this.#limits;
    const worker = new Worker(WORKER, {
      workerData: job,
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
      stdout: true,
      stderr: true,
    });
    const ended = Promise.withResolvers<string>();
    const deadline = setTimeout(
      () => ended.reject(new Error(`its extraction took longer than ${deadlineMs} ms`)),
      deadlineMs,
    );
    worker.once('message', (text: string) => ended.resolve(text));
    worker.once('error', (error) => ended.reject(error));
    worker.once('exit', () => ended.reject(new Error('its extraction ended without a result')));
    try {
      return await ended.promise;
    } finally {
      clearTimeout(deadline);
      await worker.terminate();
    }
  }
}
