import type { ErrorInfo } from '@reins/contracts';
import type { RunState } from '@reins/journal';

/** The error that a run failed with, or the error of its process that waits for an operator; null if there is none. */
export function failureOf({ end, processError }: Pick<RunState, 'end' | 'processError'>): ErrorInfo | null {
  if (end) return end.status === 'failed' ? end.error : null;
  return processError?.error ?? null;
}
