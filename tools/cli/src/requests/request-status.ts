import { runStatusOf } from '@reins/journal/rundir';
import type { RequestReading } from './request-journal.ts';

/** The status of a request: as that of a run directory, except that a failed process or a pause makes it wait for an operator. */
export function requestRunStatus(
  reading: Pick<RequestReading, 'state'>,
  pending: number,
): ReturnType<typeof runStatusOf> {
  const { end, run, waiting } = reading.state;
  const waitsForOperator = !end && waiting.get(run.runId) === 'operator';
  return waitsForOperator ? { state: 'waiting', reason: 'operator', payload: null } : runStatusOf(reading, pending);
}
