import { type ErrorInfo, ReinsError, type Usage } from '@reins/contracts';
import type { AdapterEventSink, HarnessExecution, HarnessResult, HarnessRun } from '../contract.ts';
import { Watchdog } from '../process/watchdog.ts';
import { AdapterEventWriter } from '../signals/signal-writer.ts';
import { failedResult, timedOutResult } from './failures.ts';

/** What an in-process task receives. */
export interface TaskContext {
  readonly signals: AdapterEventWriter;
  /** The task calls this whenever bytes arrive. */
  readonly recordActivity: () => void;
  readonly signal: AbortSignal;
}

export interface Task {
  run(): Promise<HarnessResult>;
  usage(): { readonly usage?: Usage };
}

/** An execution that has failed before it started. */
export const startFailed = (error: unknown): HarnessExecution => ({
  result: Promise.resolve(failedResult(error)),
  cancel: () => undefined,
  answer: () => false,
});

/** Runs a task in this process as an execution with deadlines, cancellation, and one result after the last signal. */
export function startTask(
  adapter: string,
  run: HarnessRun,
  sink: AdapterEventSink,
  startWork: (parts: TaskContext) => Task,
): HarnessExecution {
  const abort = new AbortController();
  let cancelled = false;
  let expired: ErrorInfo | undefined;
  const watchdog = new Watchdog(run.deadlines, (error) => {
    expired = error;
    abort.abort(new ReinsError({ code: 'harness_timeout_total', message: error.message }));
  });
  const signals = new AdapterEventWriter(adapter, (signal) => {
    watchdog.observe(signal);
    sink(signal);
  });
  const task = startWork({
    signals,
    recordActivity: () => watchdog.recordActivity(),
    signal: abort.signal,
  });
  const outcome = async (): Promise<HarnessResult> => {
    try {
      return await task.run();
    } catch (error) {
      if (cancelled) return { status: 'cancelled', ...task.usage() };
      return expired ? timedOutResult(expired, task.usage()) : failedResult(error, task.usage());
    } finally {
      watchdog.stop();
      signals.close();
    }
  };
  return {
    result: outcome(),
    cancel: () => {
      cancelled = true;
      abort.abort();
    },
    answer: () => false,
  };
}
