import { READ_MODEL, type RowChanges, type StateRows } from '../read-model.ts';
import { Fold } from './fold.ts';
import type { LogItem } from './log-event.ts';

/**
 * Computes the changes of a batch to the read model. Pure and deterministic: projecting a log in one batch or in many
 * gives the same rows.
 * @param known current rows of the requests and sessions in the batch
 * @param items the next messages of the log in order, without duplicates and without projected ones
 */
export function project(known: StateRows, items: readonly LogItem[], generation = 0, model = READ_MODEL): RowChanges {
  return new Fold(generation, model).load(known).take(items).changes();
}
