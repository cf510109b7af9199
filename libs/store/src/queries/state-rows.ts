import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { AffectedKeys } from '../projection/known-rows.ts';
import { NO_ROWS, type StateRows } from '../read-model.ts';
import type { SessionRow } from '../tables/sessions.ts';

/** Reads the rows that events of these requests and sessions may change. */
export async function stateRowsOf(db: Database, { requestIds, sessions }: AffectedKeys): Promise<StateRows> {
  if (requestIds.length === 0) return NO_ROWS;
  const ofRequests = sql<boolean>`request_id = any(${requestIds})`;
  return {
    requests: await db.selectFrom('requests').selectAll().where(ofRequests).execute(),
    stage_runs: await db.selectFrom('stage_runs').selectAll().where(ofRequests).orderBy('first_seq').execute(),
    approvals: await db.selectFrom('approvals').selectAll().where(ofRequests).execute(),
    sessions: await sessionRows(db, sessions),
  };
}

async function sessionRows(db: Database, sessions: AffectedKeys['sessions']): Promise<SessionRow[]> {
  const workspaces = sessions.map(({ workspaceId }) => workspaceId);
  const ids = sessions.map(({ sessionId }) => sessionId);
  const wanted = sql<boolean>`(workspace_id, session_id) in (select * from unnest(${workspaces}::text[], ${ids}::text[]))`;
  return db.selectFrom('sessions').selectAll().where(wanted).execute();
}
