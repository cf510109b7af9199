import { standingOf } from '@reins/journal/rundir';
import type { RequestReading } from './request-journal.ts';

/** As a run directory stands, but that somebody owns a request: where its process failed by itself or is held, it waits for an operator. */
export function requestRunStatus(
  reading: Pick<RequestReading, 'state'>,
  pending: number,
): ReturnType<typeof standingOf> {
  const { end, run, waiting } = reading.state;
  const isHeld = !end && waiting.get(run.runId) === 'operator';
  return isHeld ? { state: 'waiting', reason: 'operator', payload: null } : standingOf(reading, pending);
}
