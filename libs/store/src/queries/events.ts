import type { Database } from '../database.ts';
import type { EventRow } from '../tables/events.ts';
import type { TraceViewRow } from '../tables/trace-views.ts';

export interface EventPage {
  /** Only events after this sequence. */
  readonly afterSeq: number;
  /** Only events before this sequence. */
  readonly beforeSeq?: number;
  readonly limit: number;
}

/** Lists events of a request in log order, from the current stream. */
export async function listEvents(db: Database, requestId: string, page: EventPage): Promise<EventRow[]> {
  let query = db
    .selectFrom('events')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('generation', '=', currentGeneration(db))
    .where('seq', '>', page.afterSeq)
    .orderBy('seq')
    .limit(page.limit);
  if (page.beforeSeq !== undefined) query = query.where('seq', '<', page.beforeSeq);
  return query.execute();
}

/** Lists the entries of a request in a view (by default all views), in log order, from the current stream. */
export async function listTraceViews(db: Database, requestId: string, view?: string): Promise<TraceViewRow[]> {
  let query = db
    .selectFrom('trace_views')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('generation', '=', currentGeneration(db));
  if (view !== undefined) query = query.where('view', '=', view);
  return query.orderBy('seq').execute();
}

/** The number of the stream that the projection reads now. Rows of an earlier one are kept, but are not current. */
const currentGeneration = (db: Database) =>
  db.selectFrom('projection_checkpoints').select((c) => c.fn.max('generation').as('g'));
