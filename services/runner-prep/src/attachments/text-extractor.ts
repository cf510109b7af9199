import { Worker } from 'node:worker_threads';
import type { TextJob } from './extract-text.ts';

/** This module's own kind: sources run from sources, what was built from what was built. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const WORKER = new URL(`./extract-worker.${EXTENSION}`, import.meta.url);
const AT_ONCE = 2;

export interface ExtractorLimits {
  /** Milliseconds that one document may take. */
  readonly deadlineMs: number;
  /** Megabytes of heap that one document may take. */
  readonly memoryMb: number;
}

/** Takes the text out of documents, each in a thread of its own that ends by its deadline, two at a time. */
export class TextExtractor {
  readonly #limits: ExtractorLimits;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: ExtractorLimits) {
    this.#limits = limits;
  }

  /** @throws Error that says why it cannot be read: broken, too large in memory, too slow */
  async extract(job: TextJob): Promise<string> {
    await this.#slot();
    try {
      return await this.#inThread(job);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #slot(): Promise<void> {
    while (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  async #inThread(job: TextJob): Promise<string> {
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
    const deadline = setTimeout(() => ended.reject(new Error(`it takes longer than ${deadlineMs} ms`)), deadlineMs);
    worker.once('message', (text: string) => ended.resolve(text));
    worker.once('error', (error) => ended.reject(error));
    worker.once('exit', () => ended.reject(new Error('its reader ended without a word')));
    try {
      return await ended.promise;
    } finally {
      clearTimeout(deadline);
      await worker.terminate();
    }
  }
}
