import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { StageRunRow } from '../tables/stage-runs.ts';

/** The queue of a runtime before one of its stages. */
export interface StageQueue {
  /** How many stages wait longer than this one. */
  readonly ahead: number;
  /** The mean duration of the latest stages of the runtime; undefined when none has ended. */
  readonly meanMs: number | undefined;
}

/** How many ended stages the mean duration includes. */
const OBSERVED = 50;

/** Whether an attempt at a stage waits for a host. */
export const isQueued = ({ status, host_id, ended_at, requested_at }: StageRunRow): boolean =>
  status === 'requested' && host_id === null && ended_at === null && requested_at !== null;

/** The queue before a stage that waits for a host. */
export async function stageQueueOf(
  db: Database,
  { runtime_id: runtimeId, last_seq: seq }: Pick<StageRunRow, 'runtime_id' | 'last_seq'>,
): Promise<StageQueue> {
  const { ahead } = await db
    .selectFrom('stage_runs')
    .innerJoin('requests', 'requests.request_id', 'stage_runs.request_id')
    .select(sql<number>`count(*)::int`.as('ahead'))
    .where('stage_runs.runtime_id', '=', runtimeId)
    .where('stage_runs.status', '=', 'requested')
    .where('stage_runs.host_id', 'is', null)
    .where('stage_runs.requested_at', 'is not', null)
    .where('stage_runs.last_seq', '<', seq)
    .where('requests.ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  const ended = db
    .selectFrom('stage_runs')
    .select(sql<number>`extract(epoch from ended_at - started_at) * 1000`.as('ms'))
    .where('runtime_id', '=', runtimeId)
    .where('started_at', 'is not', null)
    .where('ended_at', 'is not', null)
    .orderBy('requested_at', 'desc')
    .limit(OBSERVED)
    .as('ended');
  const { mean } = await db
    .selectFrom(ended)
    .select(sql<number | null>`avg(ms)::float8`.as('mean'))
    .executeTakeFirstOrThrow();
  return { ahead, meanMs: mean ?? undefined };
}
