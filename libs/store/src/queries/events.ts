import type { Database } from '../database.ts';
import type { EventRow, TraceViewRow } from '../schema/tables.ts';

export interface EventPage {
  /** Only events behind this sequence of the log. */
  readonly afterSeq: number;
  /** Only events before it. */
  readonly beforeSeq?: number;
  readonly limit: number;
}

/** Events of a request in the order of the log, of the stream that is read now. */
export async function listEvents(db: Database, requestId: string, page: EventPage): Promise<EventRow[]> {
  let query = db
    .selectFrom('events')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('generation', '=', (eb) =>
      eb.selectFrom('projection_checkpoints').select((c) => c.fn.max('generation').as('g')),
    )
    .where('seq', '>', page.afterSeq)
    .orderBy('seq')
    .limit(page.limit);
  if (page.beforeSeq !== undefined) query = query.where('seq', '<', page.beforeSeq);
  return query.execute();
}

/** What a view shows of a request, in the order of the log. */
export async function listTraceViews(db: Database, requestId: string, view?: string): Promise<TraceViewRow[]> {
  let query = db.selectFrom('trace_views').selectAll().where('request_id', '=', requestId);
  if (view !== undefined) query = query.where('view', '=', view);
  return query.orderBy('generation').orderBy('seq').execute();
}
