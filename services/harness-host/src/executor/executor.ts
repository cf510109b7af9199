import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AdapterEvent } from '@reins/contracts';
import { childEnvironment, type HarnessResult, type HarnessRun, sweepRun, TailBuffer } from '@reins/harness';
import type { FromExecutor, ToExecutor } from './messages.ts';
import type { RunFolder } from './run-folder.ts';
import { executorLostResult, OVERDUE_MS, type StageExecutor } from './stage-executor.ts';

/** TypeScript sources start the TypeScript file; compiled code starts the compiled file. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const CHILD = fileURLToPath(import.meta.resolve(`./child.${EXTENSION}`));
const FROM_SOURCES = EXTENSION === 'ts' ? ['--conditions=reins-source', '--disable-warning=ExperimentalWarning'] : [];
const STDERR_BYTES = 16 * 1024;
/** How long the process may take to exit by itself before it is killed. */
const EXIT_MS = 1000;

export interface ExecutorOptions {
  readonly folder: RunFolder;
  readonly runToken: string;
  readonly path: string;
  readonly heapMb: number;
}

/** One executor process for one run. A crash of the process does not affect the host. */
export class Executor implements StageExecutor {
  readonly folder: RunFolder;
  readonly runToken: string;
  /** Resolves when the process is ready for work; rejects when it exits before. */
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
    this.ready.catch(() => undefined); // The taker handles the error. A process that is never taken needs no handling.
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

  /** Executes one run. The result comes after the last signal; it is `unknown` when the process exits without one. */
  run(runtimeId: string, run: HarnessRun, onSignal: (signal: AdapterEvent) => void): Promise<HarnessResult> {
    this.#onSignal = onSignal;
    this.#overdue = setTimeout(() => this.kill(), run.deadlines.totalMs + OVERDUE_MS);
    this.#send({ kind: 'run', runtimeId, run });
    return this.#result.promise;
  }

  cancel(reason: string): void {
    this.#send({ kind: 'cancel', reason });
  }

  /** Kills the process and its descendants immediately. */
  kill(): void {
    this.#child.kill('SIGKILL');
    void sweepRun(this.runToken);
  }

  /** Stops the process and its descendants, and removes its folder. */
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
    // Without a pid the process was never started, and `exit` is never emitted.
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
    // A failed send means that the process is gone; the `exit` handler reports it.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #lost(how: string): void {
    clearTimeout(this.#overdue);
    const stderr = this.#stderr.toString().trim();
    const message = `the executor process exited (${how})${stderr ? `: ${stderr.slice(-1000)}` : ''}`;
    this.#ready.reject(new Error(message));
    this.#result.resolve(executorLostResult(message));
  }
}
