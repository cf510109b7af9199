import type { AdapterEvent } from '@reins/contracts';
import type { HarnessResult, HarnessRun } from '@reins/harness';
import type { RunFolder } from './run-folder.ts';

/** What carries out one execution of a stage, and is used up by it: a process of its own, or a place in this one. */
export interface StageExecutor {
  readonly folder: RunFolder;
  readonly runToken: string;
  /** Runs once. The end comes after the last signal; what nobody saw end is unknown. */
  run(runtimeId: string, run: HarnessRun, onSignal: (signal: AdapterEvent) => void): Promise<HarnessResult>;
  /** Asks it to stop; the end tells when it has. */
  cancel(reason: string): void;
  /** At once, with everything that it started. */
  kill(): void;
  /** Nothing of it is left afterwards. */
  dispose(): Promise<void>;
}

/** Beyond the run's total deadline and the way down of its adapter, it hangs. */
export const OVERDUE_MS = 15_000;

/** The end of one that is gone without its word. */
export function executorLostResult(message: string): HarnessResult {
  return { status: 'unknown', error: { code: 'stage_executor_lost', message }, retryable: true };
}
