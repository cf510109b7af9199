import { type Bus, lastMessageOn } from '@reins/bus';
import { type ErrorInfo, journalSubject } from '@reins/contracts';
import type { Database } from '@reins/store';

const JOURNAL = 'JOURNAL';

const LOST: ErrorInfo = {
  code: 'request_lost',
  message: 'the event log was rolled back to a state before this request; its progress is lost',
  hint: 'Submit the request again.',
};

/**
 * Ends requests that were lost because the event log was replaced or reset: they had not ended, and their journal is
 * gone. Changes the read model only. Otherwise these requests would never end.
 * @returns their ids
 */
export async function endLostRequests(bus: Bus, db: Database, partitions: number): Promise<string[]> {
  const open = await db
    .selectFrom('requests')
    .select(['request_id', 'workspace_id'])
    .where('ended_at', 'is', null)
    .execute();
  const lost: string[] = [];
  for (const { request_id, workspace_id } of open) {
    const run = { workspaceId: workspace_id, runId: request_id };
    if ((await lastMessageOn(bus, JOURNAL, journalSubject(run, partitions))) === undefined) lost.push(request_id);
  }
  if (lost.length === 0) return lost;
  const now = new Date().toISOString();
  const ended = { status: 'failed', error: JSON.stringify(LOST), ended_at: now, updated_at: now };
  await db.updateTable('requests').set(ended).where('request_id', 'in', lost).execute();
  return lost;
}
