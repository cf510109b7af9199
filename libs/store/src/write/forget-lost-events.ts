import { type ErrorInfo, NO_REQUEST } from '@reins/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { project } from '../projection/project.ts';
import { logEvent } from '../queries/fact-history.ts';
import { type ProjectionPosition, writeProjectionPosition } from '../queries/projection-position.ts';
import { READ_MODEL, type ReadModel, rowsIn } from '../read-model.ts';
import type { EventRow } from '../tables/events.ts';
import { endRequests } from './end-requests.ts';
import { insertRows } from './unnest.ts';

/** The generation of events that the log has lost, of requests that keep their rows. */
const LOST_GENERATION = 0;

interface Session {
  readonly workspace_id: string;
  readonly session_id: string;
}

/** Whether the message at this place of the log was projected. */
export async function isProjected(
  db: Database,
  { id, generation, seq }: { readonly id: string; readonly generation: number; readonly seq: number },
): Promise<boolean> {
  const row = await db.selectFrom('events').select(['generation', 'seq']).where('ce_id', '=', id).executeTakeFirst();
  return row?.generation === generation && row.seq === seq;
}

/** A request whose events all follow a position. */
export interface RequestAfter {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  /** The request that it belongs to, if it is a child run. */
  readonly root?: { readonly runId: string; readonly sessionId: string };
}

/** The requests whose events all follow a position. */
export async function requestsAfter(
  db: Database,
  { generation, seq }: Pick<ProjectionPosition, 'generation' | 'seq'>,
): Promise<RequestAfter[]> {
  const { rows } = await sql<Session & { request_id: string; root_id: string | null; root_session: string | null }>`
    select r.request_id, r.workspace_id, r.session_id, root.request_id as root_id, root.session_id as root_session
    from requests r left join requests root on root.request_id = r.root_request_id where r.request_id in (
      select request_id from events where request_id in (
        select request_id from events where generation = ${generation} and seq > ${seq})
      group by request_id having bool_and(generation = ${generation} and seq > ${seq}))`.execute(db);
  return rows.map(({ request_id, workspace_id, session_id, root_id, root_session }) => ({
    requestId: request_id,
    workspaceId: workspace_id,
    sessionId: session_id,
    ...(root_id !== null && root_session !== null && { root: { runId: root_id, sessionId: root_session } }),
  }));
}

/** Requests that keep their rows, because the log will have nothing about them, and the error that ends them. */
export interface LostRequests {
  readonly ids: readonly string[];
  readonly error: ErrorInfo;
}

/**
 * Removes the events after a position, which a log that was set back has lost, and folds what they had changed again from
 * the other events. Ends the lost requests in the same transaction: after it, nothing finds them again. Projecting
 * continues after the position. There must be no other writer.
 * @returns the ids of the requests that were ended
 */
export async function forgetLostEvents(
  db: Database,
  position: ProjectionPosition,
  { ids: lost, error }: LostRequests,
  model: ReadModel = READ_MODEL,
): Promise<readonly string[]> {
  const { generation, seq } = position;
  const isForgotten = sql<boolean>`generation = ${generation} and seq > ${seq}`;
  return db.transaction().execute(async (trx) => {
    const { rows: sessions } = await sql<Session>`select workspace_id, session_id from events
      where ${isForgotten} and request_id <> ${NO_REQUEST} group by 1, 2`.execute(trx);
    for (const table of ['events', 'trace_views'])
      await sql`update ${sql.table(table)} set generation = ${LOST_GENERATION}
        where ${isForgotten} and request_id = any(${lost})`.execute(trx);
    await sql`delete from usage where ce_id in (select ce_id from events where ${isForgotten})`.execute(trx);
    for (const table of ['trace_views', 'unreadable_messages', 'events'])
      await sql`delete from ${sql.table(table)} where ${isForgotten}`.execute(trx);
    for (const session of sessions) await foldSessionAgain(trx, session, generation, model);
    await writeProjectionPosition(trx, position);
    return endRequests(trx, lost, error);
  });
}

/** Computes the rows of a session and its requests from their events. Requests that the log has no event of keep their rows. */
async function foldSessionAgain(
  db: Database,
  { workspace_id, session_id }: Session,
  generation: number,
  model: ReadModel,
): Promise<void> {
  const isOfSession = sql<boolean>`workspace_id = ${workspace_id} and session_id = ${session_id}`;
  const { rows } = await sql<EventRow>`select * from events where ${isOfSession} order by generation, seq`.execute(db);
  const items = rows.map((row) => ({ event: logEvent(row) }));
  const changes = project(items, generation, model);
  const inLog = new Set(rows.filter((row) => row.generation === generation).map((row) => row.request_id));
  const kept = [...new Set(rows.map((row) => row.request_id))].filter((id) => !inLog.has(id));
  const requests = sql`select request_id from requests where ${isOfSession} and request_id <> all(${kept})`;
  const conditions: Readonly<Record<string, RawBuilder<boolean>>> = {
    request: sql`request_id in (${requests})`,
    session: isOfSession,
  };
  const stateful = model.projections.filter(({ mode }) => mode !== 'append');
  // The rows of requests say which requests there are, so they go last.
  for (const { table, scope } of stateful.toReversed())
    await sql`delete from ${sql.table(table.name)} where ${conditions[scope]}`.execute(db);
  for (const { table } of stateful) {
    const isKept = (row: object): boolean => 'request_id' in row && kept.includes(String(row.request_id));
    const changed = rowsIn(changes, table).filter((row) => !isKept(row));
    if (changed.length > 0) await insertRows(table, changed, 'replace').execute(db);
  }
}
