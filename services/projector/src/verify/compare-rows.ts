import { isDeepStrictEqual } from 'node:util';
import { jsonText, READ_MODEL, type RowChanges, rowsIn } from '@reins/store';

/** A row in which the read model differs from the event log. */
export interface RowDifference {
  readonly table: string;
  /** The key of the row, as `column=value` pairs. */
  readonly key: string;
  readonly kind: 'missing' | 'unexpected' | 'different';
  /** For a different row: column, expected value from the log, stored value. */
  readonly columns?: readonly { readonly column: string; readonly expected: unknown; readonly actual: unknown }[];
}

type Row = Readonly<Record<string, unknown>>;

/** Compares two states of the read model, table by table, row by row. */
export function compareRows(expected: RowChanges, actual: RowChanges, { projections } = READ_MODEL): RowDifference[] {
  return projections.flatMap(({ table }) =>
    compareTable(table.name, table.key, rowsIn(expected, table), rowsIn(actual, table)),
  );
}

function compareTable(
  table: string,
  key: readonly string[],
  expected: readonly object[],
  actual: readonly object[],
): RowDifference[] {
  const wanted = byKey(key, expected);
  const found = byKey(key, actual);
  const missing = [...wanted].flatMap(([id, row]): RowDifference[] => {
    const other = found.get(id);
    if (!other) return [{ table, key: id, kind: 'missing' }];
    const columns = differentColumns(row, other);
    return columns.length > 0 ? [{ table, key: id, kind: 'different', columns }] : [];
  });
  const unexpected = [...found.keys()].filter((id) => !wanted.has(id));
  return [...missing, ...unexpected.map((id): RowDifference => ({ table, key: id, kind: 'unexpected' }))];
}

function byKey(key: readonly string[], rows: readonly object[]): Map<string, Row> {
  return new Map(
    (rows as readonly Row[]).map((row) => [key.map((column) => `${column}=${String(row[column])}`).join(' '), row]),
  );
}

function differentColumns(expected: Row, actual: Row): { column: string; expected: unknown; actual: unknown }[] {
  return Object.keys(expected)
    .map((column) => ({ column, expected: stored(expected[column]), actual: actual[column] }))
    .filter((each) => !isDeepStrictEqual(each.expected, each.actual));
}

/** Converts a value to the form that Postgres returns. */
function stored(value: unknown): unknown {
  return value === null || value === undefined ? null : JSON.parse(jsonText(value as never));
}
