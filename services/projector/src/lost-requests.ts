import type { Bus } from '@reins/bus';
import type { ErrorInfo } from '@reins/contracts';
import { type Database, endRequests, forgetLostEvents, type ProjectionPosition, requestsAfter } from '@reins/store';
import { isStartable } from './startable.ts';

const LOST: ErrorInfo = {
  code: 'request_lost',
  message: 'the event log was rolled back to a state before this request; its progress is lost',
  hint: 'Submit the request again.',
};

/** How many requests are looked up at a time: a log that was set back far may have lost many. */
const LOOKED_UP = 64;

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
  const lost = await lostOf(open, ({ request_id, workspace_id, session_id }) =>
    isStartable(bus, { workspaceId: workspace_id, runId: request_id, sessionId: session_id }, partitions),
  );
  return endRequests(
    db,
    lost.map(({ request_id }) => request_id),
    LOST,
  );
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
  const lost = await lostOf(await requestsAfter(db, position), async ({ requestId, root, ...address }) => {
    if (root && (await isStartable(bus, { ...address, ...root }, partitions))) return true;
    return isStartable(bus, { ...address, runId: requestId }, partitions);
  });
  return forgetLostEvents(db, position, { ids: lost.map(({ requestId }) => requestId), error: LOST });
}

/** Those that nothing starts or continues, in order. */
async function lostOf<Request>(
  requests: readonly Request[],
  isKept: (request: Request) => Promise<boolean>,
): Promise<Request[]> {
  const lost: Request[] = [];
  for (let from = 0; from < requests.length; from += LOOKED_UP) {
    const page = requests.slice(from, from + LOOKED_UP);
    const kept = await Promise.all(page.map(isKept));
    lost.push(...page.filter((_, index) => !kept[index]));
  }
  return lost;
}
