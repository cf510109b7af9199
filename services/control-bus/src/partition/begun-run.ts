import { type Blobs, type Bus, inline, lastOf } from '@reins/bus';
import { eventSubject, parseEvent, type RunAddress } from '@reins/contracts';
import type { RunOwner } from '../run/run-ports.ts';

/** Whose a run is, as the log tells of its beginning; undefined when that is as old as to be gone from there. */
export async function begunRun(
  bus: Bus,
  blobs: Blobs,
  { workspaceId, runId: requestId }: RunAddress,
): Promise<RunOwner | undefined> {
  const told = await lastOf(bus, 'EVENTS', eventSubject({ type: 'runtime.request.started', workspaceId, requestId }));
  if (!told) return undefined;
  const { sessionId, agentId } = parseEvent(await inline(blobs, told.data));
  return { sessionId, agentId };
}
