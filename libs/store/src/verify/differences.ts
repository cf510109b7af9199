import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { keyOf, type RowOf, type Table } from '../schema/table.ts';

/** A row in which the read model differs from the event log. */
export interface RowDifference {
  readonly table: string;
  /** The key of the row, as `column=value` pairs. */
  readonly key: string;
  readonly kind: 'missing' | 'unexpected' | 'different';
  /** For a different row: column, expected value from the log, stored value. */
  readonly columns?: readonly { readonly column: string; readonly expected: unknown; readonly actual: unknown }[];
}

/** The differences of a table. */
export interface TableDifferences {
  readonly count: number;
  /** The first of them. */
  readonly listed: readonly RowDifference[];
}

type Row = RowOf<Table>;

/** Maximum number of listed differences of a table: as many missing or different rows, and as many unexpected ones. */
const LISTED = 1_000;

/**
 * Compares a live table with the temporary table of the same name.
 * @param condition on a row `compared` that is compared
 */
export async function differencesOf(
  db: Database,
  table: Table,
  condition: RawBuilder<boolean>,
): Promise<TableDifferences> {
  const live = sql.table(`public.${table.name}`);
  const expected = sql.table(`pg_temp.${table.name}`);
  const sameKey = sql.join(
    table.key.map((column) => sql`compared.${sql.ref(column)} = other.${sql.ref(column)}`),
    sql` and `,
  );
  const order = sql.join(table.key.map((column) => sql.ref(column)));
  const wrong = await sql<Counted>`select *, count(*) over ()::int as differences from ${expected} compared
    where ${condition} and not exists (
      select from ${live} other where ${sameKey} and other.* is not distinct from compared.*)
    order by ${order} limit ${LISTED}`.execute(db);
  const unexpected = await sql<Counted>`select *, count(*) over ()::int as differences from ${live} compared
    where ${condition} and not exists (select from ${expected} other where ${sameKey})
    order by ${order} limit ${LISTED}`.execute(db);
  const actual = new Map((await withKeys(db, table, wrong.rows)).map((row) => [keyOf(table, row), row]));
  return {
    count: (wrong.rows[0]?.differences ?? 0) + (unexpected.rows[0]?.differences ?? 0),
    listed: [
      ...wrong.rows.map((row) => differenceOf(table, row, actual.get(keyOf(table, row)))),
      ...unexpected.rows.map((row): RowDifference => ({ ...headOf(table, row), kind: 'unexpected' })),
    ],
  };
}

type Counted = Row & { readonly differences: number };

async function withKeys(db: Database, table: Table, rows: readonly Row[]): Promise<readonly Row[]> {
  if (rows.length === 0) return [];
  const keys = rows.map((row) => sql`(${sql.join(table.key.map((column) => row[column]))})`);
  const names = sql.join(table.key.map((column) => sql.ref(column)));
  const found = await sql<Row>`select * from ${sql.table(`public.${table.name}`)}
    where (${names}) in (${sql.join(keys)})`.execute(db);
  return found.rows;
}

function headOf(table: Table, row: Row): Pick<RowDifference, 'table' | 'key'> {
  return { table: table.name, key: table.key.map((column) => `${column}=${String(row[column])}`).join(' ') };
}

function differenceOf(table: Table, expected: Row, actual: Row | undefined): RowDifference {
  if (!actual) return { ...headOf(table, expected), kind: 'missing' };
  const columns = Object.keys(table.columns)
    .map((column) => ({ column, expected: expected[column], actual: actual[column] }))
    .filter((each) => !isDeepStrictEqual(each.expected, each.actual));
  return { ...headOf(table, expected), kind: 'different', columns };
}
