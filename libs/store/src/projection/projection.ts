import type { Table } from '../schema/table.ts';
import type { ScopeName } from './scope.ts';

/**
 * How the rows of a table follow from events. `append`: an event adds rows, which never change. `upsert`: an event
 * replaces rows without reading them. `fold`: a row follows from the row before and the event.
 */
export type Mode = 'append' | 'upsert' | 'fold';

/** A table that the event log is projected into. */
export interface Projection<T extends Table = Table, M extends Mode = Mode> {
  readonly table: T;
  /** What a row belongs to. */
  readonly scope: ScopeName;
  readonly mode: M;
}

/** Declares a projection. The list of `read-model.ts` contains it. */
export function projection<T extends Table, const M extends Mode>(declaration: Projection<T, M>): Projection<T, M> {
  return declaration;
}
