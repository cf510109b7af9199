import type { RowOf, Table } from '../schema/table.ts';
import type { LogEvent, UnreadableMessage } from './log-event.ts';
import type { Key, ScopeName } from './scope.ts';

/** The rows of fold projections, with all events so far. */
export interface KnownRows {
  row<T extends Table>(table: T, ...key: Key): RowOf<T> | undefined;
  /** The rows that belong to a request or session. */
  rowsOf<T extends Table>(table: T, ...scope: Key): Iterable<RowOf<T>>;
  /**
   * Whether the event is a fact that arrived behind a later fact of its run. The rows of the run have it applied in
   * causal order.
   */
  readonly isLate: boolean;
}

interface Declared<T extends Table> {
  readonly table: T;
  /** What a row belongs to. The table has the columns of the scope. */
  readonly scope: ScopeName;
}

/** An event adds rows, which never change. */
export interface AppendProjection<T extends Table> extends Declared<T> {
  readonly mode: 'append';
  /** The rows of an event. Pure. */
  evolve(event: LogEvent, generation: number): readonly RowOf<T>[];
  /** The rows of a message that is not a valid event; by default none. */
  unreadable?(message: UnreadableMessage, generation: number): readonly RowOf<T>[];
}

/** An event replaces rows. The row before it does not matter. */
export interface UpsertProjection<T extends Table> extends Declared<T> {
  readonly mode: 'upsert';
  /** The rows of an event. Pure. */
  evolve(event: LogEvent): readonly RowOf<T>[];
}

/**
 * A row follows from the row before and the event. The key of the table begins with the columns of the scope, so that a
 * batch can load the rows that its events may change.
 */
export interface FoldProjection<T extends Table> extends Declared<T> {
  readonly mode: 'fold';
  readonly scope: 'request' | 'session';
  /** The keys of the rows that an event may change. Pure. */
  keysOf(event: LogEvent, rows: KnownRows): readonly Key[];
  /**
   * The row after an event; the same object if nothing changes, undefined if there is no row. Pure.
   * @param rows projections that come earlier in the list have applied the event already
   */
  evolve(row: RowOf<T> | undefined, event: LogEvent, rows: KnownRows, key: Key): RowOf<T> | undefined;
}

/** A table that the event log is projected into, and how its rows follow from events. */
export type Projection<T extends Table = Table> = AppendProjection<T> | UpsertProjection<T> | FoldProjection<T>;

/** Declares a projection. The list of `read-model.ts` contains it. */
export function projection<T extends Table>(declaration: FoldProjection<T>): FoldProjection<T>;
export function projection<T extends Table>(declaration: UpsertProjection<T>): UpsertProjection<T>;
export function projection<T extends Table>(declaration: AppendProjection<T>): AppendProjection<T>;
export function projection(declaration: Projection): Projection {
  return declaration;
}
