import { type Bus, lastMessageOn } from '@reins/bus';
import { type ErrorInfo, inboxSubject, journalSubject, type RunAddress } from '@reins/contracts';
import { type Database, endRequests, forgetLostEvents, type ProjectionPosition, requestsAfter } from '@reins/store';

const JOURNAL = 'JOURNAL';
const REQUESTS = 'KV_requests';

const LOST: ErrorInfo = {
  code: 'request_lost',
  message: 'the event log was rolled back to a state before this request; its progress is lost',
  hint: 'Submit the request again.',
};

/**
 * Ends the requests that a replaced event log has lost: they had not ended, and their journal is gone. Changes the read
 * model only. Otherwise these requests would never end.
 * @returns their ids
 */
export async function endLostRequests(bus: Bus, db: Database, partitions: number): Promise<readonly string[]> {
  const open = await db
    .selectFrom('requests')
    .select(['request_id', 'workspace_id'])
    .where('ended_at', 'is', null)
    .execute();
  const lost: string[] = [];
  for (const { request_id, workspace_id } of open)
    if (!(await hasJournal(bus, { workspaceId: workspace_id, runId: request_id }, partitions))) lost.push(request_id);
  return endRequests(db, lost, LOST);
}

/**
 * Brings the read model back to a position that it has in common with a log that was set back. Requests that will run
 * again from there lose what they did later. Lost requests keep their rows, and end if they had not ended: the log has
 * no event of them, and they have neither a journal nor a waiting command nor a record of the gateway.
 * @returns the ids of those that were ended
 */
export async function forgetAfter(
  bus: Bus,
  db: Database,
  position: ProjectionPosition,
  partitions: number,
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { requestId, rootId, workspaceId } of await requestsAfter(db, position)) {
    const [run, root] = [requestId, rootId].map((runId) => ({ workspaceId, runId })) as [RunAddress, RunAddress];
    if (!(await wasAccepted(bus, root, partitions)) && !(await hasJournal(bus, run, partitions))) lost.push(requestId);
  }
  return forgetLostEvents(db, position, { ids: lost, error: LOST });
}

const hasJournal = async (bus: Bus, run: RunAddress, partitions: number): Promise<boolean> =>
  (await lastMessageOn(bus, JOURNAL, journalSubject(run, partitions))) !== undefined;

/** Whether the request was accepted, so that it will start: its command is in the inbox, or the gateway has its record. */
async function wasAccepted(bus: Bus, run: RunAddress, partitions: number): Promise<boolean> {
  const submit = inboxSubject({ ...run, type: 'command.run.submit' }, partitions);
  if ((await lastMessageOn(bus, 'INBOX', submit)) !== undefined) return true;
  return (await lastMessageOn(bus, REQUESTS, `$KV.requests.run.${run.runId}`)) !== undefined;
}
