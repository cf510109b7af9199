import { READ_MODEL, type ReadModel, type RowChanges, rowsIn, type StateRows } from '../read-model.ts';
import { keyOf, type RowOf, type Table } from '../schema/table.ts';
import { isFenced } from '../tables/stage-runs.ts';
import type { LogEvent, LogItem } from './log-event.ts';
import type { Key, KnownRows, Projection } from './projection.ts';
import { SCOPES } from './scope.ts';

type Row = RowOf<Table>;

/** The rows of a read model, folded from the events of a log. */
export class Fold implements KnownRows {
  readonly #projections: readonly Projection[];
  readonly #generation: number;
  readonly #tables: ReadonlyMap<string, TableRows>;
  /** By table, since the last call of `changes`. */
  #appended = new Map<string, Row[]>();

  constructor(generation: number, { projections }: ReadModel = READ_MODEL) {
    this.#projections = projections;
    this.#generation = generation;
    const tables = projections.filter(({ mode }) => mode !== 'append');
    this.#tables = new Map(tables.map((each) => [each.table.name, new TableRows(each)]));
  }

  row<T extends Table>(table: T, ...key: Key): RowOf<T> | undefined {
    return this.#tables.get(table.name)?.get(key) as RowOf<T> | undefined;
  }

  rowsOf<T extends Table>(table: T, ...scope: Key): Iterable<RowOf<T>> {
    return (this.#tables.get(table.name)?.of(scope) ?? []) as Iterable<RowOf<T>>;
  }

  /** Adds stored rows. */
  load(rows: StateRows): this {
    for (const table of this.#tables.values()) for (const row of rowsIn(rows, table.table)) table.add(row);
    return this;
  }

  /** Applies the next messages of the log. */
  take(items: readonly LogItem[]): this {
    for (const item of items) {
      if ('event' in item) this.#apply(item.event);
      else
        for (const each of this.#projections)
          if (each.mode === 'append') this.#append(each.table, each.unreadable?.(item.unreadable, this.#generation));
    }
    return this;
  }

  /** Returns the rows that have changed since the last call: complete rows, each key at most once. */
  changes(): RowChanges {
    const appended = this.#appended;
    this.#appended = new Map();
    const rows = this.#projections.map(({ table: { name } }) => [
      name,
      appended.get(name) ?? this.#tables.get(name)?.takeChanged() ?? [],
    ]);
    return Object.fromEntries(rows) as RowChanges;
  }

  /** Signals of fenced attempts are not recorded. */
  #apply(event: LogEvent): void {
    if (isFenced(event, this)) return;
    for (const each of this.#projections) {
      if (each.mode === 'fold')
        for (const key of each.keysOf(event, this))
          this.#put(each.table, each.evolve(this.row(each.table, ...key), event, this, key));
      else if (each.mode === 'upsert') for (const row of each.evolve(event)) this.#put(each.table, row);
      else this.#append(each.table, each.evolve(event, this.#generation));
    }
  }

  #put({ name }: Table, row: Row | undefined): void {
    if (row) this.#tables.get(name)?.put(row);
  }

  #append({ name }: Table, rows: readonly Row[] = []): void {
    const appended = this.#appended.get(name);
    if (appended) appended.push(...rows);
    else this.#appended.set(name, [...rows]);
  }
}

const keyed = (values: readonly unknown[]): string => values.join(' ');

/** Rows by what they belong to and by key. Tracks which ones change. */
class TableRows {
  readonly table: Table;
  readonly #scope: readonly string[];
  readonly #byScope = new Map<string, Map<string, Row>>();
  #changed = new Map<string, Row>();

  constructor({ table, scope }: Projection) {
    this.table = table;
    this.#scope = SCOPES[scope].columns;
  }

  get(key: Key): Row | undefined {
    return this.#byScope.get(keyed(key.slice(0, this.#scope.length)))?.get(keyed(key));
  }

  of(scope: Key): Iterable<Row> {
    return this.#byScope.get(keyed(scope))?.values() ?? [];
  }

  /** Adds a row that is not a change. */
  add(row: Row): string {
    const scope = keyed(this.#scope.map((column) => row[column]));
    const rows = this.#byScope.get(scope) ?? new Map<string, Row>();
    const key = keyOf(this.table, row);
    this.#byScope.set(scope, rows);
    rows.set(key, row);
    return key;
  }

  put(row: Row): void {
    const key = this.table.key.map((column) => row[column]) as Key;
    if (this.get(key) !== row) this.#changed.set(this.add(row), row);
  }

  takeChanged(): Row[] {
    const changed = [...this.#changed.values()];
    this.#changed = new Map();
    return changed;
  }
}
