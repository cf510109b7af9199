import type { AdapterEvent } from '@reins/contracts';
import type { HarnessResult, HarnessRun } from '@reins/harness';
import type { RunFolder } from './run-folder.ts';

/** Executes one run of a stage, in a separate process or in this one. Used once. */
export interface StageExecutor {
  readonly folder: RunFolder;
  readonly runToken: string;
  /** Executes one run. The result comes after the last signal; it is `unknown` when the executor reported none. */
  run(runtimeId: string, run: HarnessRun, onSignal: (signal: AdapterEvent) => void): Promise<HarnessResult>;
  /** Requests a stop; the result resolves when the run has stopped. */
  cancel(reason: string): void;
  /** Kills the run immediately. */
  kill(): void;
  /** Stops everything and removes the folder. */
  dispose(): Promise<void>;
}

/** The time after the total deadline of a run, for the shutdown of its adapter, before the run counts as hanging. */
export const OVERDUE_MS = 15_000;

/** The result of an executor that exited without one. */
export function executorLostResult(message: string): HarnessResult {
  return { status: 'unknown', error: { code: 'stage_executor_lost', message }, retryable: true };
}
