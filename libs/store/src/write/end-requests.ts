import type { ErrorInfo } from '@reins/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

/**
 * Ends requests as failed that had not ended. Changes nothing else.
 * @returns their ids
 */
export async function endRequests(
  db: Database,
  requestIds: readonly string[],
  error: ErrorInfo,
): Promise<readonly string[]> {
  const now = new Date().toISOString();
  const { rows } = await sql<{ request_id: string }>`update requests
    set status = 'failed', error = ${JSON.stringify(error)}, ended_at = ${now}, updated_at = ${now}
    where request_id = any(${requestIds}) and ended_at is null returning request_id`.execute(db);
  return rows.map(({ request_id }) => request_id);
}
