import { runStatusOf } from '@reins/run-directory';
import type { LoadedRequest } from './request-journal.ts';

/** The status of a request: as that of a run directory, except that a failed process or a pause makes it wait for an operator. */
export function requestRunStatus(
  loaded: Pick<LoadedRequest, 'state'>,
  pending: number,
): ReturnType<typeof runStatusOf> {
  const { end, run, waiting } = loaded.state;
  const waitsForOperator = !end && waiting.get(run.runId) === 'operator';
  return waitsForOperator ? { state: 'waiting', reason: 'operator', payload: null } : runStatusOf(loaded, pending);
}
