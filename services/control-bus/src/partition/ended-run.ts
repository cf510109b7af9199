import { type Blobs, type Bus, inline, lastOf } from '@reins/bus';
import { eventSubject, parseEvent, type RunAddress } from '@reins/contracts';
import type { ToldEnd } from '../run/run-ports.ts';

/** How a run has ended, as the log tells it; undefined when it does not, or when that is as old as to be gone from there. */
export async function endedRun(
  bus: Bus,
  blobs: Blobs,
  { workspaceId, runId: requestId }: RunAddress,
): Promise<ToldEnd | undefined> {
  for (const type of ENDS) {
    const told = await lastOf(bus, 'EVENTS', eventSubject({ type, workspaceId, requestId }));
    if (told) return parseEvent(await inline(blobs, told.data)) as ToldEnd;
  }
  return undefined;
}

const ENDS: readonly ToldEnd['type'][] = [
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
];
