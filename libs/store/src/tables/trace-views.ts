import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/** Events by trace view; the event itself is in `events`. */
export const TRACE_VIEWS = table('trace_views', {
  meaning: 'The events of each trace view. `ce_id` refers to `events`.',
  key: ['ce_id', 'view'],
  columns: {
    ce_id: 'text',
    view: 'text',
    category: 'text',
    request_id: 'text',
    generation: 'integer',
    seq: 'bigint',
    stage: 'text?',
    effect_id: 'text?',
    tool_id: 'text?',
    occurred_at: 'timestamptz',
  },
});
export type TraceViewRow = RowOf<typeof TRACE_VIEWS>;

export const traceViewsProjection = projection({ table: TRACE_VIEWS, scope: 'request', mode: 'append' });
