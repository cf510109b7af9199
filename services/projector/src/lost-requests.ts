import type { Bus } from '@reins/bus';
import type { ErrorInfo } from '@reins/contracts';
import { type Database, endRequests, forgetLostEvents, type ProjectionPosition, requestsAfter } from '@reins/store';
import { isStartable } from './startable.ts';

const LOST: ErrorInfo = {
  code: 'request_lost',
  message: 'the event log was rolled back to a state before this request; its progress is lost',
  hint: 'Submit the request again.',
};

/**
 * Ends the requests that a replaced event log has lost: they had not ended, and nothing starts or continues them. Changes
 * the read model only. Otherwise these requests would never end.
 * @returns their ids
 */
export async function endLostRequests(bus: Bus, db: Database, partitions: number): Promise<readonly string[]> {
  const open = await db
    .selectFrom('requests')
    .select(['request_id', 'workspace_id', 'session_id'])
    .where('ended_at', 'is', null)
    .execute();
  const lost: string[] = [];
  for (const { request_id, workspace_id, session_id } of open) {
    const run = { workspaceId: workspace_id, runId: request_id, sessionId: session_id };
    if (!(await isStartable(bus, run, partitions))) lost.push(request_id);
  }
  return endRequests(db, lost, LOST);
}

/**
 * Brings the read model back to a position that it has in common with a rolled-back log. Requests that will run
 * again from there lose what they did later. Lost requests keep their rows, and end if they had not ended: the log has
 * no event of them, and nothing starts or continues them or the request that they belong to.
 * @returns the ids of those that were ended
 */
export async function forgetAfter(
  bus: Bus,
  db: Database,
  position: ProjectionPosition,
  partitions: number,
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { requestId, root, ...address } of await requestsAfter(db, position)) {
    const isRootStartable = root && (await isStartable(bus, { ...address, ...root }, partitions));
    if (!isRootStartable && !(await isStartable(bus, { ...address, runId: requestId }, partitions)))
      lost.push(requestId);
  }
  return forgetLostEvents(db, position, { ids: lost, error: LOST });
}
