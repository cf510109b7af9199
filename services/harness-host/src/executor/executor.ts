import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AdapterEvent } from '@reins/contracts';
import { childEnvironment, type HarnessResult, type HarnessRun, sweepRun, TailBuffer } from '@reins/harness';
import type { FromExecutor, ToExecutor } from './messages.ts';
import type { RunFolder } from './run-folder.ts';
import { executorLostResult, OVERDUE_MS, type StageExecutor } from './stage-executor.ts';

/** This module's own kind: sources run from sources, what was built from what was built. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const CHILD = fileURLToPath(import.meta.resolve(`./child.${EXTENSION}`));
const FROM_SOURCES = EXTENSION === 'ts' ? ['--conditions=reins-source', '--disable-warning=ExperimentalWarning'] : [];
const STDERR_BYTES = 16 * 1024;
/** What it has to go by itself after its end, before it is ended. */
const EXIT_MS = 1000;

export interface ExecutorOptions {
  readonly folder: RunFolder;
  readonly runToken: string;
  readonly path: string;
  readonly heapMb: number;
}

/** One executor process, used for one run. What happens to it, the host lives on. */
export class Executor implements StageExecutor {
  readonly folder: RunFolder;
  readonly runToken: string;
  /** Resolves when it waits for work; rejects when it is gone before. */
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  readonly #stderr = new TailBuffer(STDERR_BYTES);
  readonly #ready = Promise.withResolvers<void>();
  readonly #result = Promise.withResolvers<HarnessResult>();
  readonly #exited: Promise<void>;
  #onSignal: (signal: AdapterEvent) => void = () => undefined;
  #overdue: NodeJS.Timeout | undefined;

  constructor({ folder, runToken, path, heapMb }: ExecutorOptions) {
    this.folder = folder;
    this.runToken = runToken;
    this.ready = this.#ready.promise;
    this.ready.catch(() => undefined); // Whoever takes it asks; one that nobody takes bothers nobody.
    this.#child = fork(CHILD, [], {
      cwd: folder.root,
      env: childEnvironment({ homeDir: folder.homeDir, runToken, path }),
      execArgv: [...FROM_SOURCES, `--max-old-space-size=${heapMb}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    this.#child.on('message', (message: FromExecutor) => this.#receive(message));
    this.#exited = this.#watch();
  }

  get alive(): boolean {
    return this.#child.connected;
  }

  /** Runs once. The end comes after the last signal; a process that goes without one ends as unknown. */
  run(runtimeId: string, run: HarnessRun, onSignal: (signal: AdapterEvent) => void): Promise<HarnessResult> {
    this.#onSignal = onSignal;
    this.#overdue = setTimeout(() => this.kill(), run.deadlines.totalMs + OVERDUE_MS);
    this.#send({ kind: 'run', runtimeId, run });
    return this.#result.promise;
  }

  cancel(reason: string): void {
    this.#send({ kind: 'cancel', reason });
  }

  /** At once, with everything that it started. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Nothing of it is left afterwards: no process, no folder. */
  async dispose(): Promise<void> {
    clearTimeout(this.#overdue);
    const timer = setTimeout(() => this.kill(), EXIT_MS);
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
    clearTimeout(timer);
    await sweepRun(this.runToken);
    await this.folder.remove();
  }

  async #watch(): Promise<void> {
    // Without a pid it was never started, and `exit` never comes.
    const failed = new Promise<string>((resolve) => {
      this.#child.on('error', (error) => this.#child.pid === undefined && resolve(error.message));
    });
    const exited = once(this.#child, 'exit').then(([code, signal]) => String(signal ?? `code ${code}`));
    this.#lost(await Promise.race([exited, failed]));
  }

  #receive(message: FromExecutor): void {
    if (message.kind === 'ready') this.#ready.resolve();
    else if (message.kind === 'signal') this.#onSignal(message.signal);
    else this.#result.resolve(message.result);
  }

  #send(message: ToExecutor): void {
    // A failed send means that it is gone, which `exit` tells.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #lost(how: string): void {
    clearTimeout(this.#overdue);
    const said = this.#stderr.toString().trim();
    const message = `the executor process ended (${how})${said ? `: ${said.slice(-1000)}` : ''}`;
    this.#ready.reject(new Error(message));
    this.#result.resolve(executorLostResult(message));
  }
}
