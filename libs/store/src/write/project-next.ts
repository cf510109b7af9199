import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { LogItem } from '../projection/log-event.ts';
import { lateRuns, projectBatch } from '../projection/project.ts';
import { factHistory } from '../queries/fact-history.ts';
import { stateRowsOf } from '../queries/state-rows.ts';
import type { ReadModel, RowChanges, StateRows } from '../read-model.ts';

/** What a batch changes, and the stored rows that it starts from. */
export interface NextRows {
  readonly known: StateRows;
  readonly changes: RowChanges;
}

/**
 * Projects the next items on the stored rows, without storing the result. Rows of runs that are folded again are deleted.
 * @param fresh items without known events
 */
export async function projectNext(
  db: Database,
  fresh: readonly LogItem[],
  generation: number,
  model: ReadModel,
): Promise<NextRows> {
  const known = await stateRowsOf(db, fresh, model);
  const ids = new Set(fresh.flatMap((item) => ('event' in item ? [item.event.id] : [])));
  const history = await factHistory(db, lateRuns(known, fresh), known, (id) => ids.has(id));
  const { changes, refolded } = projectBatch(known, fresh, history, generation, model);
  if (refolded.size === 0) return { known, changes };
  for (const { table, scope, mode } of model.projections) {
    if (scope !== 'request' || mode === 'append') continue;
    await sql`delete from ${sql.table(table.name)} where request_id = any(${[...refolded]})`.execute(db);
  }
  return { known: withoutRuns(known, refolded), changes };
}

function withoutRuns(known: StateRows, runs: ReadonlySet<string>): StateRows {
  const isKept = (row: object): boolean => !('request_id' in row && runs.has(String(row.request_id)));
  return Object.fromEntries(
    Object.entries(known).map(([name, rows]) => [name, (rows as readonly object[]).filter(isKept)]),
  ) as unknown as StateRows;
}
