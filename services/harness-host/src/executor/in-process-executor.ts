import { setTimeout as sleep } from 'node:timers/promises';
import type { AdapterEvent } from '@reins/contracts';
import type { HarnessExecution, HarnessRegistry, HarnessResult, HarnessRun } from '@reins/harness';
import type { RunFolder } from './run-folder.ts';
import { executorLostResult, OVERDUE_MS, type StageExecutor } from './stage-executor.ts';

/** How long the work may take to stop before its folder is removed. */
const EXIT_MS = 1000;

/** Executes the work of an adapter in this process. For built-in adapters that start no process. */
export class InProcessExecutor implements StageExecutor {
  readonly folder: RunFolder;
  readonly runToken: string;
  readonly #registry: HarnessRegistry;
  readonly #result = Promise.withResolvers<HarnessResult>();
  #execution: HarnessExecution | undefined;
  #overdue: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(registry: HarnessRegistry, { folder, runToken }: { folder: RunFolder; runToken: string }) {
    this.#registry = registry;
    this.folder = folder;
    this.runToken = runToken;
  }

  run(runtimeId: string, run: HarnessRun, onSignal: (signal: AdapterEvent) => void): Promise<HarnessResult> {
    this.#overdue = setTimeout(() => this.kill(), run.deadlines.totalMs + OVERDUE_MS);
    this.#execution = this.#registry.get(runtimeId).start(run, (signal) => {
      if (!this.#ended) onSignal(signal);
    });
    void this.#execution.result.then((result) => this.#finish(result));
    return this.#result.promise;
  }

  cancel(reason: string): void {
    this.#execution?.cancel(reason);
  }

  kill(): void {
    this.#execution?.cancel('killed by the host');
    this.#finish(executorLostResult('the execution was killed by its host'));
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#overdue);
    if (this.#execution) {
      if (!this.#ended) this.kill();
      const leave = new AbortController();
      const timeout = sleep(EXIT_MS, undefined, { signal: leave.signal }).catch(() => undefined);
      await Promise.race([this.#execution.result, timeout]);
      leave.abort();
    }
    await this.folder.remove();
  }

  #finish(result: HarnessResult): void {
    this.#ended = true;
    clearTimeout(this.#overdue);
    this.#result.resolve(result);
  }
}
