import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { StageRunRow } from '../tables/stage-runs.ts';
import { childRunsOf } from './child-runs.ts';

const COLUMNS = [
  'request_id',
  'parent_request_id',
  'root_request_id',
  'workspace_id',
  'session_id',
  'effect_id',
  'attempt',
  'stage',
  'runtime_id',
  'runtime_source',
  'directive',
  'status',
  'host_id',
  'requested_at',
  'started_at',
  'ended_at',
  'first_seq',
] as const satisfies readonly (keyof StageRunRow)[];

/** One stage run (one attempt at a stage) without its inputs and outputs: request, runtime, host, status and times. */
export type AgentProcessRow = Pick<StageRunRow, (typeof COLUMNS)[number]>;

export interface AgentProcessFilter {
  /** Only stage runs of this request and its child runs. */
  readonly requestId?: string;
  readonly workspaceId?: string;
  readonly stage?: string;
  readonly runtimeId?: string;
  readonly hostId?: string;
  readonly status?: string;
  /** Only rows with a lower `first_seq`. */
  readonly before?: number;
  readonly limit: number;
}

/** Lists stage runs, newest first. */
export async function listAgentProcesses(db: Database, filter: AgentProcessFilter): Promise<AgentProcessRow[]> {
  const { requestId, workspaceId, stage, runtimeId, hostId, status, before, limit } = filter;
  let query = db.selectFrom('stage_runs').select(COLUMNS);
  if (requestId !== undefined) {
    query = query.where(sql<boolean>`request_id = any(${await runIdsOf(db, requestId)})`);
  }
  if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId);
  if (stage !== undefined) query = query.where('stage', '=', stage);
  if (runtimeId !== undefined) query = query.where('runtime_id', '=', runtimeId);
  if (hostId !== undefined) query = query.where('host_id', '=', hostId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (before !== undefined) query = query.where('first_seq', '<', before);
  return query.orderBy('first_seq', 'desc').limit(limit).execute();
}

async function runIdsOf(db: Database, requestId: string): Promise<string[]> {
  const requests = await db.selectFrom('requests').selectAll().where('request_id', '=', requestId).execute();
  return [requestId, ...(await childRunsOf(db, requests)).map((row) => row.request_id)];
}
