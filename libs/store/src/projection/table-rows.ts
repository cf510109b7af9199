import { keyOf, type RowOf, type Table } from '../schema/table.ts';
import type { Projection } from './projection.ts';
import { type Key, SCOPES } from './scope.ts';

type Row = RowOf<Table>;

const keyed = (values: readonly unknown[]): string => values.join(' ');

/** Rows of a table by what they belong to and by key. Tracks which ones change. */
export class TableRows {
  readonly #table: Table;
  readonly #scope: readonly string[];
  readonly #byScope = new Map<string, Map<string, Row>>();
  readonly #changed = new Map<string, Row>();

  constructor({ table, scope }: Projection, known: readonly Row[]) {
    this.#table = table;
    this.#scope = SCOPES[scope].columns;
    for (const row of known) this.#add(row);
  }

  get(key: Key): Row | undefined {
    return this.#byScope.get(keyed(key.slice(0, this.#scope.length)))?.get(keyed(key));
  }

  of(scope: Key): Iterable<Row> {
    return this.#byScope.get(keyed(scope))?.values() ?? [];
  }

  /** Adds or replaces a row. The same object is no change. */
  put(row: Row | undefined): void {
    if (!row) return;
    const key = this.#table.key.map((column) => row[column]) as Key;
    if (this.get(key) !== row) this.#changed.set(this.#add(row), row);
  }

  /** Removes all rows that belong to a request or session. */
  remove(scope: Key): void {
    for (const row of this.of(scope)) this.#changed.delete(keyOf(this.#table, row));
    this.#byScope.delete(keyed(scope));
  }

  changed(): readonly Row[] {
    return [...this.#changed.values()];
  }

  #add(row: Row): string {
    const scope = keyed(this.#scope.map((column) => row[column]));
    const rows = this.#byScope.get(scope) ?? new Map<string, Row>();
    const key = keyOf(this.#table, row);
    this.#byScope.set(scope, rows);
    rows.set(key, row);
    return key;
  }
}
