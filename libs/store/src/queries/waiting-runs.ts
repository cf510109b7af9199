import type { Database } from '../database.ts';

/** The runs that wait for the same reason. */
export interface WaitingRuns {
  readonly reason: string;
  readonly count: number;
  /** RFC 3339: since when the oldest of them waits. */
  readonly since: string;
}

/** Counts the runs that wait, by reason. */
export async function listWaitingRuns(db: Database): Promise<WaitingRuns[]> {
  const rows = await db
    .selectFrom('requests')
    .select(({ fn }) => ['waiting_reason', fn.countAll<string>().as('count'), fn.min('updated_at').as('since')])
    .where('status', '=', 'waiting')
    .where('ended_at', 'is', null)
    .where('waiting_reason', 'is not', null)
    .groupBy('waiting_reason')
    .execute();
  return rows.map(({ waiting_reason, count, since }) => ({
    reason: String(waiting_reason),
    count: Number(count),
    since: String(since),
  }));
}
