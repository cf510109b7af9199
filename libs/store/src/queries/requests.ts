import type { Database } from '../database.ts';
import type { LogItem } from '../projection/log-event.ts';
import { project } from '../projection/project.ts';
import { NO_ROWS } from '../projection/row-changes.ts';
import type { ApprovalRow, ArtifactRow, RequestRow, StageRunRow, UsageRow } from '../schema/tables.ts';

/** All rows of one request. */
export interface RequestRows {
  readonly request: RequestRow;
  /** In order of their start. */
  readonly stageRuns: readonly StageRunRow[];
  readonly usage: readonly UsageRow[];
  readonly artifacts: readonly ArtifactRow[];
  readonly approvals: readonly ApprovalRow[];
}

export async function findRequest(db: Database, requestId: string): Promise<RequestRows | undefined> {
  const request = await db.selectFrom('requests').selectAll().where('request_id', '=', requestId).executeTakeFirst();
  if (!request) return undefined;
  return {
    request,
    stageRuns: await stageRunsOf(db, requestId),
    usage: await db
      .selectFrom('usage')
      .selectAll()
      .where('request_id', '=', requestId)
      .orderBy('occurred_at')
      .execute(),
    artifacts: await db
      .selectFrom('artifacts')
      .selectAll()
      .where('request_id', '=', requestId)
      .orderBy('path')
      .execute(),
    approvals: await db
      .selectFrom('approvals')
      .selectAll()
      .where('request_id', '=', requestId)
      .orderBy('first_seq')
      .execute(),
  };
}

/** Lists the stage runs of a request with their runtimes. */
export async function stageRunsOf(db: Database, requestId: string): Promise<StageRunRow[]> {
  return db.selectFrom('stage_runs').selectAll().where('request_id', '=', requestId).orderBy('first_seq').execute();
}

/** Computes the same rows from the event log: the state of the read model once it has caught up. */
export function requestFromLog(items: readonly LogItem[], requestId: string): RequestRows | undefined {
  const rows = project(NO_ROWS, withoutDuplicates(items));
  const request = rows.requests.find((row) => row.request_id === requestId);
  if (!request) return undefined;
  const ofRequest = (row: { readonly request_id: string }): boolean => row.request_id === requestId;
  return {
    request,
    stageRuns: rows.stage_runs.filter(ofRequest),
    usage: rows.usage.filter(ofRequest),
    artifacts: rows.artifacts.filter(ofRequest),
    approvals: rows.approvals.filter(ofRequest),
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
  readonly before?: string;
  readonly limit: number;
}

/** Lists requests including child runs, newest first. */
export async function listRequests(db: Database, filter: RequestFilter): Promise<RequestRow[]> {
  let query = db.selectFrom('requests').selectAll().orderBy('first_seq', 'desc').limit(filter.limit);
  if (filter.workspaceId !== undefined) query = query.where('workspace_id', '=', filter.workspaceId);
  if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.before !== undefined) {
    const before = db.selectFrom('requests').select('first_seq').where('request_id', '=', filter.before);
    query = query.where('first_seq', '<', before);
  }
  return query.execute();
}
