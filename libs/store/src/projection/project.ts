import { READ_MODEL, type ReadModel, type RowChanges, rowsIn, type StateRows } from '../read-model.ts';
import { RUN_POSITIONS } from '../tables/run-positions.ts';
import { compareOrder, type FactOrder, factOrder } from './fact-order.ts';
import { Fold } from './fold.ts';
import type { LogEvent, LogItem } from './log-event.ts';

/** Facts of runs by run, in any order. */
export type FactHistory = ReadonlyMap<string, readonly LogEvent[]>;

/** What a batch changes. */
export interface ProjectedBatch {
  readonly changes: RowChanges;
  /** Runs that were folded again: their rows are exactly those among the changes. */
  readonly refolded: ReadonlySet<string>;
}

/**
 * Computes the changes of a batch to the read model. Pure and deterministic: projecting a log in one batch or in many
 * gives the same rows.
 * @param known current rows of the requests and sessions in the batch
 * @param items the next messages of the log in order, without duplicates and without projected ones
 * @param history the projected facts of the runs that `lateRuns` returns
 */
export function projectBatch(
  known: StateRows,
  items: readonly LogItem[],
  history: FactHistory,
  generation = 0,
  model = READ_MODEL,
): ProjectedBatch {
  const fold = new Fold(known, generation, model).take(items, history);
  return { changes: fold.changes(), refolded: fold.refolded };
}

/**
 * Computes the rows of requests and sessions from a log that is read in pages. Keeps the rows in memory, but no events.
 * @param late the runs that `lateRuns` returns for the whole log
 */
export async function projectState(
  pages: AsyncIterable<readonly LogItem[]>,
  late: readonly string[],
  generation: number,
  model: ReadModel,
): Promise<RowChanges> {
  const stateful = { ...model, projections: model.projections.filter(({ mode }) => mode !== 'append') };
  const fold = new Fold(noRows(stateful), generation, stateful).take([], new Map(late.map((run) => [run, []])));
  for await (const items of pages) fold.take(items, new Map());
  return fold.changes();
}

/** Computes all rows of a log from its start. */
export function project(items: readonly LogItem[], generation = 0, model = READ_MODEL): RowChanges {
  const none = noRows(model);
  const history = new Map(lateRuns(none, items).map((run) => [run, []]));
  return projectBatch(none, items, history, generation, model).changes;
}

/** The runs of a batch with facts that arrive behind later facts of their run, as after a change of the stream's leader. */
export function lateRuns(known: StateRows, items: readonly LogItem[]): string[] {
  const last = new Map<string, FactOrder>(rowsIn(known, RUN_POSITIONS).map((row) => [row.request_id, row]));
  const late = new Set<string>();
  for (const item of items) {
    const order = 'event' in item ? factOrder(item.event) : undefined;
    if (!order || !('event' in item)) continue;
    const { requestId } = item.event.body;
    const before = last.get(requestId);
    if (before && compareOrder(order, before) < 0) late.add(requestId);
    else last.set(requestId, order);
  }
  return [...late];
}

/** The rows of a read model that nothing was projected into. */
export const noRows = ({ projections }: ReadModel): StateRows =>
  Object.fromEntries(projections.map(({ table }) => [table.name, []])) as unknown as StateRows;
