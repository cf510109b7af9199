import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ParsedModule } from './parse-module.ts';

/** Time limit for one file in milliseconds. */
const PARSE_MS = 10_000;
/**
 * Time limit for all files of a process in milliseconds. Without it, many slow files would keep a parser from others
 * for hours.
 */
const PROCESS_MS = 60_000;
/** Limit of the heap in megabytes. */
const MEMORY_MB = 512;
/** Maximum number of concurrent parsers. */
const MAX_PARSERS = 4;

export interface ParseRequest {
  readonly path: string;
  readonly source: string;
  readonly type: 'module' | 'commonjs' | undefined;
}

export type ParseResponse = { readonly module: ParsedModule } | { readonly reason: string };

/**
 * Parses the files of one process in a separate thread. An author may write sources that take hours to parse, or that
 * break the parser for all later files. The thread therefore has limits and is discarded afterwards.
 */
export class ModuleParser {
  readonly #timeoutMs: number;
  readonly #totalMs: number;
  /** The time that is left for all files, in milliseconds. */
  #leftMs: number;
  #worker: Worker | undefined;
  #answered: (response: ParseResponse) => void = () => undefined;

  constructor(timeoutMs = PARSE_MS, totalMs = PROCESS_MS) {
    this.#timeoutMs = timeoutMs;
    this.#totalMs = totalMs;
    this.#leftMs = totalMs;
  }

  /** @throws SyntaxError, also for a file that exceeds the time or memory limit */
  async parse(request: ParseRequest): Promise<ParsedModule> {
    const response = await this.#answer(request);
    if ('module' in response) return response.module;
    throw new SyntaxError(response.reason);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    await worker.terminate();
    release();
  }

  async #answer(request: ParseRequest): Promise<ParseResponse> {
    const tooSlow = { reason: `the files of the process take more than ${this.#totalMs} ms to parse` };
    if (this.#leftMs <= 0) return tooSlow;
    const worker = await this.#started();
    const { promise, resolve } = Promise.withResolvers<ParseResponse>();
    this.#answered = resolve;
    const isLast = this.#leftMs < this.#timeoutMs;
    const late = () => resolve(isLast ? tooSlow : { reason: `it takes more than ${this.#timeoutMs} ms to parse` });
    const timer = setTimeout(late, Math.min(this.#timeoutMs, this.#leftMs));
    const start = performance.now();
    worker.postMessage(request);
    const response = await promise;
    clearTimeout(timer);
    this.#leftMs = response === tooSlow ? 0 : this.#leftMs - (performance.now() - start);
    // The failed file may have broken the parser.
    if ('reason' in response) await this.close();
    return response;
  }

  async #started(): Promise<Worker> {
    if (this.#worker) return this.#worker;
    await take();
    const url = new URL(`./parse-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(url, {
      execArgv: ['--no-warnings'],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.on('message', (response: ParseResponse) => this.#answered(response));
    worker.on('error', () => this.#answered({ reason: `it takes more than ${MEMORY_MB} MB to parse` }));
    this.#worker = worker;
    return worker;
  }
}

let taken = 0;
const waiting: (() => void)[] = [];

async function take(): Promise<void> {
  if (taken >= MAX_PARSERS) await new Promise<void>((resolve) => waiting.push(resolve));
  else taken += 1;
}

/** Gives the slot to the next waiting parser. */
function release(): void {
  const next = waiting.shift();
  if (next) next();
  else taken -= 1;
}
