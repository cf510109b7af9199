import type { JsonValue } from '@reins/contracts';
import { type RawBuilder, sql } from 'kysely';
import { type ColumnSpec, type RowOf, sqlTypeOf, type Table } from '../schema/table.ts';
import { jsonText, storableText } from './json-text.ts';

/** Behaviour for an existing key. */
export type OnConflict = 'replace' | 'keep';

/**
 * Builds one statement for any number of rows, with one array parameter per column. Its text does not depend on the
 * number of rows, so Postgres plans it once per connection.
 */
export function insertRows<T extends Table>(
  table: T,
  rows: readonly RowOf<T>[],
  onConflict: OnConflict,
  returning?: keyof T['columns'] & string,
): RawBuilder<Record<string, unknown>> {
  const columns = Object.entries(table.columns);
  const arrays = columns.map(([name, spec]) => sql`${columnArray(rows, name, spec)}::${sql.raw(sqlTypeOf(spec))}[]`);
  const names = sql.join(columns.map(([name]) => sql.ref(name)));
  const end = returning === undefined ? sql`` : sql` returning ${sql.ref(returning)}`;
  return sql`insert into ${sql.table(table.name)} (${names}) select * from unnest(${sql.join(arrays)}) on conflict (${sql.join(
    table.key.map((name) => sql.ref(name)),
  )}) ${conflictAction(table, onConflict)}${end}`;
}

function conflictAction(table: Table, onConflict: OnConflict): RawBuilder<unknown> {
  const others = Object.keys(table.columns).filter((name) => !table.key.includes(name));
  if (onConflict === 'keep' || others.length === 0) return sql`do nothing`;
  return sql`do update set ${sql.join(others.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`;
}

function columnArray(rows: readonly Record<string, unknown>[], name: string, spec: ColumnSpec): unknown[] {
  const type = sqlTypeOf(spec);
  if (type === 'jsonb') return rows.map((row) => (row[name] === null ? null : jsonText(row[name] as JsonValue)));
  if (type === 'text') return rows.map((row) => (typeof row[name] === 'string' ? storableText(row[name]) : null));
  return rows.map((row) => row[name]);
}
