import { type ErrorInfo, NO_REQUEST } from '@reins/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { LogItem } from '../projection/log-event.ts';
import { lateRuns, noRows, projectState } from '../projection/project.ts';
import type { Projection } from '../projection/projection.ts';
import { logEvent } from '../queries/fact-history.ts';
import { type ProjectionPosition, writeProjectionPosition } from '../queries/projection-position.ts';
import { READ_MODEL, type ReadModel, rowsIn } from '../read-model.ts';
import type { Table } from '../schema/table.ts';
import { EVENTS, type EventRow } from '../tables/events.ts';
import { endRequests } from './end-requests.ts';
import { insertRows } from './unnest.ts';

/** Lost events of requests that keep their rows get this generation. */
const LOST_GENERATION = 0;
/** Events that are read into memory in one step. */
const EVENTS_AT_ONCE = 1_000;

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
 * Removes the events after a position, which a rolled-back log has lost. Computes the affected rows again from
 * the other events. Ends the lost requests in the same transaction: no later query finds them. Projecting
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
    await sql`update trace_views set generation = ${LOST_GENERATION}
      where ce_id in (select ce_id from events where ${isForgotten} and request_id = any(${lost}))`.execute(trx);
    await sql`update events set generation = ${LOST_GENERATION}
      where ${isForgotten} and request_id = any(${lost})`.execute(trx);
    const { ofEvents, ofMessages } = appendTables(model);
    for (const { name } of ofEvents)
      await sql`delete from ${sql.table(name)}
        where ce_id in (select ce_id from events where ${isForgotten})`.execute(trx);
    for (const { name } of ofMessages) await sql`delete from ${sql.table(name)} where ${isForgotten}`.execute(trx);
    for (const session of sessions) await foldSessionAgain(trx, session, generation, model);
    await writeProjectionPosition(trx, position);
    return endRequests(trx, lost, error);
  });
}

/** The append-only tables: those whose rows refer to an event, and those with a row for each message. */
function appendTables({ projections }: ReadModel): Record<'ofEvents' | 'ofMessages', readonly Table[]> {
  const appended = projections.filter(({ mode }) => mode === 'append');
  const hasRowOfMessage = ({ table, scope }: Projection): boolean => table === EVENTS || scope === 'message';
  return {
    ofEvents: appended.filter((projection) => !hasRowOfMessage(projection)).map(({ table }) => table),
    ofMessages: appended.filter(hasRowOfMessage).map(({ table }) => table),
  };
}

/** Selects the ids of a session's requests, so that a query of their events can use an index. */
const requestsOf = (isOfSession: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`select request_id from requests where ${isOfSession}`;

/** The facts of a session in the order of the log, without their bodies. */
async function factsOf(db: Database, isOfSession: RawBuilder<boolean>): Promise<LogItem[]> {
  const { rows } = await sql<EventRow>`select e.*, jsonb_build_object('requestId', e.request_id) as body
    from (select ce_id, generation, seq, request_id, version, causation from events
      where request_id in (${requestsOf(isOfSession)}) and version is not null) e order by generation, seq`.execute(db);
  return rows.map((row) => ({ event: logEvent(row) }));
}

/** The events of a session in the order of the log. */
async function* eventPages(db: Database, isOfSession: RawBuilder<boolean>): AsyncGenerator<readonly LogItem[]> {
  let after: Pick<EventRow, 'generation' | 'seq' | 'ce_id'> | undefined = {
    generation: LOST_GENERATION,
    seq: 0,
    ce_id: '',
  };
  while (after) {
    const { rows }: { rows: EventRow[] } = await sql<EventRow>`select * from events
      where request_id in (${requestsOf(isOfSession)}) and (generation, seq, ce_id) > (${after.generation}, ${after.seq}, ${after.ce_id})
      order by generation, seq, ce_id limit ${EVENTS_AT_ONCE}`.execute(db);
    yield rows.map((row) => ({ event: logEvent(row) }));
    after = rows.length === EVENTS_AT_ONCE ? rows.at(-1) : undefined;
  }
}

/** The requests of a session that have events, but none of this generation. */
async function requestsWithoutEventIn(
  db: Database,
  isOfSession: RawBuilder<boolean>,
  generation: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ request_id: string }>`select r.request_id from requests r where ${isOfSession}
    and exists (select from events e where e.request_id = r.request_id)
    and not exists (select from events e where e.request_id = r.request_id and e.generation = ${generation})`.execute(
    db,
  );
  return rows.map(({ request_id }) => request_id);
}

/** Computes the rows of a session and its requests from their events. Requests without logged events keep theirs. */
async function foldSessionAgain(
  db: Database,
  { workspace_id, session_id }: Session,
  generation: number,
  model: ReadModel,
): Promise<void> {
  const isOfSession = sql<boolean>`workspace_id = ${workspace_id} and session_id = ${session_id}`;
  const facts = await factsOf(db, isOfSession);
  const late = lateRuns(noRows(model), facts);
  const changes = await projectState(eventPages(db, isOfSession), late, generation, model);
  const kept = await requestsWithoutEventIn(db, isOfSession, generation);
  const requests = sql`select request_id from requests where ${isOfSession} and request_id <> all(${kept})`;
  const conditions: Readonly<Record<string, RawBuilder<boolean>>> = {
    request: sql`request_id in (${requests})`,
    session: isOfSession,
  };
  const stateful = model.projections.filter(({ mode }) => mode !== 'append');
  // The rows of `requests` are deleted last, because the other conditions select from that table.
  for (const { table, scope } of stateful.toReversed())
    await sql`delete from ${sql.table(table.name)} where ${conditions[scope]}`.execute(db);
  for (const { table } of stateful) {
    const isKept = (row: object): boolean => 'request_id' in row && kept.includes(String(row.request_id));
    const changed = rowsIn(changes, table).filter((row) => !isKept(row));
    if (changed.length > 0) await insertRows(table, changed, 'replace').execute(db);
  }
}
