import type { HarnessRegistry, InProcessWork } from '@reins/harness';
import type { ProcessIdentity } from '@reins/service-kit/folders';
import { Executor } from './executor.ts';
import { InProcessExecutor } from './in-process-executor.ts';
import { makeRunFolder, noFolder } from './run-folder.ts';
import { newRunToken } from './run-token.ts';
import type { StageExecutor } from './stage-executor.ts';

export interface PoolOptions {
  /** The number of processes to start in advance. */
  readonly warm: number;
  readonly owner: ProcessIdentity;
  readonly path: string;
  readonly heapMb: number;
}

/** A pool of executor processes that are started in advance. Each is used once. */
export class ExecutorPool {
  readonly #options: PoolOptions;
  readonly #waiting: Promise<Executor>[] = [];
  readonly #used = new Set<Executor>();
  readonly #inProcess = new Set<StageExecutor>();
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#fill();
  }

  /** Takes a ready process and starts a replacement. */
  async take(): Promise<Executor> {
    const waiting = this.#waiting.shift();
    this.#fill();
    // If the waiting process has died, start a new one instead of failing the stage.
    const ahead = await waiting?.catch(() => undefined);
    if (ahead?.alive === false) await ahead.dispose();
    const executor = ahead?.alive ? ahead : await this.#start();
    this.#used.add(executor);
    return executor;
  }

  /** Creates an executor in this process, for work that needs no process. */
  async takeInProcess(registry: HarnessRegistry, { files }: InProcessWork): Promise<StageExecutor> {
    const runToken = newRunToken(this.#options.owner);
    const folder = files ? await makeRunFolder() : noFolder(runToken);
    const executor = new InProcessExecutor(registry, { folder, runToken });
    this.#inProcess.add(executor);
    return executor;
  }

  /** Stops an executor after its use. */
  async dispose(executor: StageExecutor): Promise<void> {
    await executor.dispose();
    if (executor instanceof Executor) this.#used.delete(executor);
    else this.#inProcess.delete(executor);
  }

  /** The processes that execute a run. */
  get used(): readonly Executor[] {
    return [...this.#used];
  }

  /** The number of processes that wait for work or are starting. */
  get warm(): number {
    return this.#waiting.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const waiting = await Promise.allSettled(this.#waiting.splice(0));
    const executors = waiting.flatMap((item) => (item.status === 'fulfilled' ? [item.value] : []));
    await Promise.all([...executors, ...this.#used, ...this.#inProcess].map((executor) => executor.dispose()));
  }

  #fill(): void {
    while (!this.#closed && this.#waiting.length < this.#options.warm) {
      const started = this.#start();
      started.catch(() => undefined); // `take` handles the error.
      this.#waiting.push(started);
    }
  }

  async #start(): Promise<Executor> {
    const { owner, path, heapMb } = this.#options;
    const folder = await makeRunFolder();
    const executor = new Executor({ folder, runToken: newRunToken(owner), path, heapMb });
    try {
      await executor.ready;
      return executor;
    } catch (error) {
      await executor.dispose();
      throw error;
    }
  }
}
