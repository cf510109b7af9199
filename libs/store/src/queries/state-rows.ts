import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { LogItem } from '../projection/log-event.ts';
import type { Projection } from '../projection/projection.ts';
import type { Key } from '../projection/scope.ts';
import { SCOPES } from '../projection/scope.ts';
import { READ_MODEL, type StateRows } from '../read-model.ts';
import { type RowOf, sqlTypeOf, type Table } from '../schema/table.ts';

/** Reads the rows that the events of a batch may change. */
export async function stateRowsOf(
  db: Database,
  items: readonly LogItem[],
  { projections } = READ_MODEL,
): Promise<StateRows> {
  const rows: Record<string, readonly RowOf<Table>[]> = {};
  for (const each of projections) {
    if (each.mode === 'fold') rows[each.table.name] = await rowsOf(db, each, scopeKeys(items, each));
  }
  return rows as unknown as StateRows;
}

/** The values of the scope columns in the rows that a batch may change, each once. */
export function scopeKeys(items: readonly LogItem[], { scope }: Pick<Projection, 'scope'>): readonly Key[] {
  const keys = items.flatMap((item) => ('event' in item ? SCOPES[scope].keysOf(item.event.body) : []));
  return [...new Map(keys.map((key) => [key.join(' '), key])).values()];
}

async function rowsOf(db: Database, { table, scope }: Projection, keys: readonly Key[]): Promise<RowOf<Table>[]> {
  if (keys.length === 0) return [];
  const { columns } = SCOPES[scope];
  const values = columns.map((column, index) => {
    const type = sqlTypeOf(table.columns[column] ?? 'text');
    return sql`${keys.map((key) => key[index])}::${sql.raw(type)}[]`;
  });
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const { rows } = await sql<RowOf<Table>>`select * from ${sql.table(table.name)}
    where (${names}) in (select * from unnest(${sql.join(values)}))`.execute(db);
  return rows;
}
