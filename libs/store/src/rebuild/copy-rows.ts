import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { JsonValue } from '@reins/contracts';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type ColumnSpec, type RowOf, sqlTypeOf, type Table } from '../schema/table.ts';
import { jsonText, storableText } from '../write/json-text.ts';

/** Rows per chunk of the stream. */
const CHUNK_ROWS = 500;

/**
 * Copies rows into a table of the connection's schema.
 * @throws pg.DatabaseError when Postgres rejects a row; then none is stored
 */
export async function copyRows<T extends Table>(client: pg.Client, table: T, rows: readonly RowOf<T>[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.entries(table.columns);
  const names = columns.map(([name]) => `"${name}"`).join(', ');
  const target = client.query(copyFrom(`copy "${table.name}" (${names}) from stdin`));
  await pipeline(Readable.from(chunks(columns, rows)), target);
}

function* chunks(columns: readonly (readonly [string, ColumnSpec])[], rows: readonly object[]): Generator<string> {
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    let text = '';
    for (const row of rows.slice(from, from + CHUNK_ROWS)) text += `${copyLine(columns, row as Row)}\n`;
    yield text;
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Formats a row for COPY: tabs between columns, `\\\\N` for null, backslash escapes. */
export function copyLine(columns: readonly (readonly [string, ColumnSpec])[], row: Row): string {
  return columns.map(([name, spec]) => copyField(row[name], spec)).join('\t');
}

function copyField(value: unknown, spec: ColumnSpec): string {
  if (value === null || value === undefined) return '\\N';
  const type = sqlTypeOf(spec);
  if (type === 'jsonb') return escaped(jsonText(value as JsonValue));
  return type === 'text' ? escaped(storableText(String(value))) : String(value);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escaped = (text: string): string => text.replace(/[\\\t\n\r]/g, (found) => ESCAPES[found] ?? found);
