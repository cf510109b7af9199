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

/** A table of the read model: its columns in order, and its primary key. */
export interface Table<N extends string = string, C extends Columns = Columns> {
  readonly name: N;
  readonly columns: C;
  readonly key: readonly string[];
}

export function table<const N extends string, const C extends Columns>(
  name: N,
  key: readonly (keyof C & string)[],
  columns: C,
): Table<N, C> {
  return { name, columns, key };
}

export function sqlTypeOf(spec: ColumnSpec): SqlType {
  return (spec.endsWith('?') ? spec.slice(0, -1) : spec) as SqlType;
}

export function isNullable(spec: ColumnSpec): boolean {
  return spec.endsWith('?');
}
