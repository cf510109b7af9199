import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { LogItem } from '../projection/log-event.ts';
import { project } from '../projection/project.ts';
import type { Schema } from '../read-model.ts';
import type { ApprovalRow } from '../tables/approvals.ts';
import type { ArtifactRow } from '../tables/artifacts.ts';
import type { RequestRow } from '../tables/requests.ts';
import type { StageRunRow } from '../tables/stage-runs.ts';
import type { UsageRow } from '../tables/usage.ts';
import { childRunsOf, descendantsOf } from './child-runs.ts';

/** All rows of one request and its child runs. */
export interface RequestRows {
  readonly request: RequestRow;
  /** Its child runs and their child runs, in the order of their start. */
  readonly children: readonly RequestRow[];
  /** Of the request and its child runs, in the order of their start. */
  readonly stageRuns: readonly StageRunRow[];
  /** Of the request and its child runs. */
  readonly usage: readonly UsageRow[];
  /** Of the request and its child runs. */
  readonly artifacts: readonly ArtifactRow[];
  /** Of the request and its child runs. */
  readonly approvals: readonly ApprovalRow[];
  /** The requests that retry it, oldest first; none if the rows come from its own events. */
  readonly retriedBy: readonly string[];
}

export async function findRequest(db: Database, requestId: string): Promise<RequestRows | undefined> {
  const request = await db.selectFrom('requests').selectAll().where('request_id', '=', requestId).executeTakeFirst();
  if (!request) return undefined;
  const children = await childRunsOf(db, [request]);
  const ofRuns = sql<boolean>`request_id = any(${idsOf(request, children)})`;
  return {
    request,
    children,
    stageRuns: await db.selectFrom('stage_runs').selectAll().where(ofRuns).orderBy('first_seq').execute(),
    usage: await db.selectFrom('usage').selectAll().where(ofRuns).orderBy('occurred_at').execute(),
    artifacts: await db.selectFrom('artifacts').selectAll().where(ofRuns).orderBy('path').execute(),
    approvals: await db.selectFrom('approvals').selectAll().where(ofRuns).orderBy('first_seq').execute(),
    retriedBy: (await retriesOf(db, [requestId])).get(requestId) ?? [],
  };
}

/** The requests that retry these requests, oldest first, by the id of the retried one. */
export async function retriesOf(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('requests')
    .select(['request_id', 'retry_of'])
    .where(sql<boolean>`retry_of = any(${ids})`)
    .orderBy('first_seq')
    .execute();
  const byRetried = Map.groupBy(rows, (row) => String(row.retry_of));
  return new Map([...byRetried].map(([id, retries]) => [id, retries.map((row) => row.request_id)]));
}

/** What the stages of these requests and of their child runs wait for, by request: of several, the latest. */
export async function progressOf(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('stage_runs')
    .select(['request_id', 'root_request_id', 'progress'])
    .where('progress', 'is not', null)
    .where(sql<boolean>`(request_id = any(${ids}) or root_request_id = any(${ids}))`)
    .orderBy('last_seq')
    .execute();
  return new Map(rows.map((row) => [row.root_request_id ?? row.request_id, String(row.progress)]));
}

const idsOf = (request: RequestRow, children: readonly RequestRow[]): string[] =>
  [request, ...children].map((row) => row.request_id);

/**
 * Computes the same rows from the event log: the state of the read model once it has caught up.
 * @param items the events of the request and its child runs, in the order of the log
 */
export function requestFromLog(items: readonly LogItem[], requestId: string): RequestRows | undefined {
  const rows = project(withoutDuplicates(items));
  const request = rows.requests.find((row) => row.request_id === requestId);
  if (!request) return undefined;
  const children = descendantsOf([request], rows.requests);
  const ids = new Set(idsOf(request, children));
  const ofRuns = (row: { readonly request_id: string }): boolean => ids.has(row.request_id);
  return {
    request,
    children,
    stageRuns: rows.stage_runs.filter(ofRuns),
    usage: rows.usage.filter(ofRuns),
    artifacts: rows.artifacts.filter(ofRuns),
    approvals: rows.approvals.filter(ofRuns),
    retriedBy: [],
  };
}

/**
 * Removes items with a repeated event id.
 * @param seen ids of earlier items; the ids of these items are added
 */
export function withoutDuplicates(items: readonly LogItem[], seen = new Set<string>()): LogItem[] {
  return items.filter((item) => {
    if (!('event' in item)) return true;
    if (seen.has(item.event.id)) return false;
    seen.add(item.event.id);
    return true;
  });
}

export interface RequestFilter {
  readonly workspaceId?: string;
  readonly sessionId?: string;
  readonly status?: string;
  /** Only requests older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/**
 * Lists requests without child runs, newest first. A request has a status, or belongs to a session, if it or one of its child
 * runs does.
 */
export async function listRequests(db: Database, filter: RequestFilter): Promise<RequestRow[]> {
  const own = await matching(requestsOf(db, filter), filter).execute();
  if (filter.status === undefined && filter.sessionId === undefined) return own;
  const ofChildren = matching(db.selectFrom('requests').select('root_request_id'), filter);
  const known = new Set(own.map((row) => row.request_id));
  const byChild = await requestsOf(db, filter)
    .where('request_id', 'in', ofChildren.where('root_request_id', 'is not', null))
    .execute();
  return [...own, ...byChild.filter((row) => !known.has(row.request_id))]
    .sort((a, b) => b.first_seq - a.first_seq)
    .slice(0, filter.limit);
}

/** Which of these requests the read model has. */
export async function knownRequests(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('requests')
    .select('request_id')
    .where(sql<boolean>`request_id = any(${ids})`)
    .execute();
  return rows.map((row) => row.request_id);
}

function requestsOf(db: Database, { workspaceId, before, limit }: RequestFilter) {
  let query = db.selectFrom('requests').selectAll().where('parent_request_id', 'is', null);
  if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId);
  if (before !== undefined) {
    const start = db.selectFrom('requests').select('first_seq').where('request_id', '=', before);
    query = query.where('first_seq', '<', start);
  }
  return query.orderBy('first_seq', 'desc').limit(limit);
}

function matching<O>(
  query: SelectQueryBuilder<Schema, 'requests', O>,
  { status, sessionId }: RequestFilter,
): SelectQueryBuilder<Schema, 'requests', O> {
  const withStatus = status === undefined ? query : whereStatus(query, status);
  return sessionId === undefined ? withStatus : withStatus.where('session_id', '=', sessionId);
}

/** A halted request has the status `completed`. */
const whereStatus = <O>(query: SelectQueryBuilder<Schema, 'requests', O>, status: string) =>
  status === 'halted' ? query.where('halted', '=', true) : query.where('status', '=', status);
