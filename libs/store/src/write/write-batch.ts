import type { Database } from '../database.ts';
import type { LogItem } from '../projection/log-event.ts';
import { type ProjectionPosition, writeProjectionPosition } from '../queries/projection-position.ts';
import { READ_MODEL, type ReadModel, type RowChanges, rowsIn } from '../read-model.ts';
import { EVENTS, type EventRow, eventRow } from '../tables/events.ts';
import { type Ends, endsIn } from './ends.ts';
import { projectNext } from './project-next.ts';
import { insertRows } from './unnest.ts';

export interface BatchResult {
  /** New events. */
  readonly applied: number;
  /** Events with a known id, which changed nothing. */
  readonly duplicates: number;
  readonly unreadable: number;
  /** The runs and stage runs that ended with new events. */
  readonly ends: Ends;
}

/**
 * Projects the next messages of the event log in one transaction with the new position. An event with a known id
 * changes nothing. There must be only one writer.
 */
export async function writeBatch(
  db: Database,
  items: readonly LogItem[],
  position: ProjectionPosition,
  model = READ_MODEL,
): Promise<BatchResult> {
  return db.transaction().execute(async (trx) => {
    const result = await writeRows(trx, items, position.generation, model);
    await writeProjectionPosition(trx, position);
    return result;
  });
}

/** Projects the next messages of the event log. The caller holds a transaction. */
export async function writeRows(
  trx: Database,
  items: readonly LogItem[],
  generation: number,
  model: ReadModel,
): Promise<BatchResult> {
  const fresh = await storeEvents(trx, items, generation);
  const { changes } = await projectNext(trx, fresh, generation, model);
  await removeUnrecorded(trx, fresh, changes.events);
  await storeRest(trx, changes, model);
  const unreadable = changes.unreadable_messages.length;
  const applied = fresh.length - unreadable;
  const ends = endsIn(fresh, changes.stage_runs);
  return { applied, unreadable, duplicates: items.length - fresh.length, ends };
}

/** Stores the events and returns the items that are new. The primary key of the table makes projecting idempotent. */
async function storeEvents(db: Database, items: readonly LogItem[], generation: number): Promise<LogItem[]> {
  const rows = items.flatMap((item) => ('event' in item ? [eventRow(item.event, generation)] : []));
  if (rows.length === 0) return [...items];
  const { rows: stored } = await insertRows(EVENTS, rows, 'keep', 'ce_id').execute(db);
  const fresh = new Set(stored.map((row) => row.ce_id));
  return items.filter((item) => !('event' in item) || fresh.delete(item.event.id));
}

/** Removes the events that the projection does not record: signals of fenced attempts. */
async function removeUnrecorded(db: Database, fresh: readonly LogItem[], recorded: readonly EventRow[]): Promise<void> {
  const ids = new Set(fresh.flatMap((item) => ('event' in item ? [item.event.id] : [])));
  for (const { ce_id } of recorded) ids.delete(ce_id);
  if (ids.size === 0) return;
  await db
    .deleteFrom('events')
    .where('ce_id', 'in', [...ids])
    .execute();
}

/** Stores the rows of all tables but `events`, whose rows are stored first. */
async function storeRest(db: Database, changes: RowChanges, { projections }: ReadModel): Promise<void> {
  for (const { table, mode } of projections) {
    const rows = rowsIn(changes, table);
    if (table === EVENTS || rows.length === 0) continue;
    await insertRows(table, rows, mode === 'append' ? 'keep' : 'replace').execute(db);
  }
}
