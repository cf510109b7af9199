import { READ_MODEL, type ReadModel, type RowChanges, rowsIn, type StateRows } from '../read-model.ts';
import type { RowOf, Table } from '../schema/table.ts';
import { RUN_POSITIONS } from '../tables/run-positions.ts';
import { isFenced } from '../tables/stage-runs.ts';
import { compareOrder, factOrder } from './fact-order.ts';
import type { LogEvent, LogItem } from './log-event.ts';
import type { KnownRows, Projection } from './projection.ts';
import { type Key, SCOPES } from './scope.ts';
import { TableRows } from './table-rows.ts';

type Row = RowOf<Table>;

/**
 * The rows of a read model, folded from the events of a log. If a fact arrives behind a later fact of its run, the run is
 * folded again, in causal order.
 */
export class Fold implements KnownRows {
  readonly #projections: readonly Projection[];
  readonly #generation: number;
  readonly #tables: ReadonlyMap<string, TableRows>;
  readonly #appended = new Map<string, Row[]>();
  /** The facts so far of the runs that have late facts. */
  readonly #facts = new Map<string, LogEvent[]>();
  /** Runs that were folded again: only their changed rows remain. */
  readonly refolded = new Set<string>();
  isLate = false;

  /** @param known current rows of the requests and sessions of the events */
  constructor(known: StateRows, generation: number, { projections }: ReadModel = READ_MODEL) {
    this.#projections = projections;
    this.#generation = generation;
    const tables = projections.filter(({ mode }) => mode !== 'append');
    this.#tables = new Map(tables.map((each) => [each.table.name, new TableRows(each, rowsIn(known, each.table))]));
  }

  row<T extends Table>(table: T, ...key: Key): RowOf<T> | undefined {
    return this.#tables.get(table.name)?.get(key) as RowOf<T> | undefined;
  }

  rowsOf<T extends Table>(table: T, ...scope: Key): Iterable<RowOf<T>> {
    return (this.#tables.get(table.name)?.of(scope) ?? []) as Iterable<RowOf<T>>;
  }

  /**
   * Applies the next messages of the log.
   * @param history earlier facts of the runs that have late facts
   */
  take(items: readonly LogItem[], history: ReadonlyMap<string, readonly LogEvent[]>): this {
    for (const [run, facts] of history) this.#facts.set(run, [...facts]);
    for (const item of items) {
      if ('event' in item) this.#take(item.event);
      else
        for (const each of this.#projections)
          if (each.mode === 'append') this.#append(each.table, each.unreadable?.(item.unreadable, this.#generation));
    }
    return this;
  }

  /** The rows that have changed: complete rows, each key at most once. */
  changes(): RowChanges {
    const rows = this.#projections.map(({ table: { name } }) => [
      name,
      this.#appended.get(name) ?? this.#tables.get(name)?.changed() ?? [],
    ]);
    return Object.fromEntries(rows) as RowChanges;
  }

  /** Signals of fenced attempts are not recorded. */
  #take(event: LogEvent): void {
    if (isFenced(event, this)) return;
    const { requestId } = event.body;
    const facts = this.#facts.get(requestId);
    this.isLate = facts !== undefined && this.#arrivedLate(event, facts);
    for (const run of SCOPES.request.keysOf(event.body).flat()) this.#facts.get(String(run))?.push(event);
    if (facts && this.isLate) this.#foldAgain(requestId, facts);
    for (const each of this.#projections) {
      if (each.mode === 'append') this.#append(each.table, each.evolve(event, this.#generation));
      else if (!this.isLate || each.scope === 'session') this.#evolve(each, event);
    }
    this.isLate = false;
  }

  /**
   * Whether a fact comes before the last fact of its run. If the run has another fact in the same place, its journal was
   * rolled back, and the fact follows from the new journal.
   */
  #arrivedLate(event: LogEvent, facts: readonly LogEvent[]): boolean {
    const order = factOrder(event);
    const last = this.row(RUN_POSITIONS, event.body.requestId);
    if (!order || !last || compareOrder(order, last) >= 0) return false;
    return !facts.some((fact) => isAt(fact, event, order));
  }

  #foldAgain(run: string, facts: readonly LogEvent[]): void {
    this.refolded.add(run);
    this.isLate = false;
    const projections = this.#projections.filter(({ mode, scope }) => mode !== 'append' && scope === 'request');
    for (const { table } of projections) this.#tables.get(table.name)?.remove([run]);
    for (const fact of inCausalOrder(run, facts)) for (const each of projections) this.#evolve(each, fact);
    this.isLate = true;
  }

  #evolve(each: Projection, event: LogEvent): void {
    const rows = this.#tables.get(each.table.name);
    if (each.mode === 'upsert') for (const row of each.evolve(event)) rows?.put(row);
    if (each.mode !== 'fold') return;
    for (const key of each.keysOf(event, this)) rows?.put(each.evolve(rows.get(key), event, this, key));
  }

  #append({ name }: Table, rows: readonly Row[] = []): void {
    const appended = this.#appended.get(name) ?? [];
    this.#appended.set(name, appended);
    appended.push(...rows);
  }
}

function isAt(fact: LogEvent, { body }: LogEvent, order: { readonly version: number; readonly fact_index: number }) {
  const other = factOrder(fact);
  return fact.body.requestId === body.requestId && other !== undefined && compareOrder(other, order) === 0;
}

/** The facts of a run in causal order. A fact of its parent comes last: the parent of a child run does not change. */
function inCausalOrder(run: string, facts: readonly LogEvent[]): LogEvent[] {
  const own = facts.flatMap((event) => {
    const order = event.body.requestId === run ? factOrder(event) : undefined;
    return order ? [{ event, order }] : [];
  });
  own.sort((a, b) => compareOrder(a.order, b.order));
  return [...own.map(({ event }) => event), ...facts.filter(({ body }) => body.requestId !== run)];
}
