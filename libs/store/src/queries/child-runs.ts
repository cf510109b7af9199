import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { RequestRow } from '../tables/requests.ts';

/** The child runs of these requests, with their own child runs, in start order. */
export async function childRunsOf(db: Database, requests: readonly RequestRow[]): Promise<RequestRow[]> {
  if (requests.length === 0) return [];
  const roots = requests.map((row) => row.root_request_id ?? row.request_id);
  const relatives = await db
    .selectFrom('requests')
    .selectAll()
    .where(sql<boolean>`root_request_id = any(${[...new Set(roots)]})`)
    .orderBy('first_seq')
    .execute();
  return descendantsOf(requests, relatives);
}

/**
 * The rows that descend from these requests, in the order of the rows.
 * @param rows in start order: a run starts after its parent
 */
export function descendantsOf(requests: readonly RequestRow[], rows: readonly RequestRow[]): RequestRow[] {
  const ancestors = new Set(requests.map((row) => row.request_id));
  return rows.filter((row) => {
    if (row.parent_request_id === null || !ancestors.has(row.parent_request_id)) return false;
    ancestors.add(row.request_id);
    return true;
  });
}
