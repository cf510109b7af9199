import type { JsonValue } from '@reins/contracts';

/** Column types of the read model and their types in a row. Times are RFC 3339 in UTC, to the millisecond. */
export interface SqlTypes {
  readonly text: string;
  readonly integer: number;
  readonly bigint: number;
  readonly 'double precision': number;
  readonly boolean: boolean;
  readonly timestamptz: string;
  readonly jsonb: JsonValue;
}
export type SqlType = keyof SqlTypes;

/** `text` is not nullable, `text?` is. */
export type ColumnSpec = SqlType | `${SqlType}?`;
export type Columns = Readonly<Record<string, ColumnSpec>>;

type ValueOf<C extends ColumnSpec> = C extends SqlType
  ? SqlTypes[C]
  : C extends `${infer T extends SqlType}?`
    ? SqlTypes[T] | null
    : never;

/** A row of a table with the column names of SQL (snake_case). */
export type RowOf<T extends Table> = { -readonly [K in keyof T['columns']]: ValueOf<T['columns'][K]> };

/** A table of the read model. */
export interface Table<N extends string = string, C extends Columns = Columns> {
  readonly name: N;
  /** What the table contains, for docs/sql.md. */
  readonly meaning: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The columns in their order. */
  readonly columns: C;
}

interface Declaration<C extends Columns> {
  readonly meaning: string;
  readonly key: readonly (keyof C & string)[];
  readonly columns: C;
}

/** Declares a table. A migration creates it with the same columns. */
export function table<const N extends string, const C extends Columns>(
  name: N,
  declaration: Declaration<C>,
): Table<N, C> {
  return { name, ...declaration };
}

/** The key of a row as a text. */
export function keyOf({ key }: Table, row: Readonly<Record<string, unknown>>): string {
  return key.map((column) => row[column]).join(' ');
}

export function sqlTypeOf(spec: ColumnSpec): SqlType {
  return (spec.endsWith('?') ? spec.slice(0, -1) : spec) as SqlType;
}

export function isNullable(spec: ColumnSpec): boolean {
  return spec.endsWith('?');
}
