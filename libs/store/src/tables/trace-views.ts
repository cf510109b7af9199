import type { LogEvent } from '../projection/log-event.ts';
import { projection } from '../projection/projection.ts';
import { traceViewsOf } from '../projection/views.ts';
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

export const traceViewsProjection = projection({
  table: TRACE_VIEWS,
  scope: 'request',
  mode: 'append',
  evolve: traceViewRows,
});

function traceViewRows({ id, seq, time, body }: LogEvent, generation: number): TraceViewRow[] {
  const fields = body as { readonly stage?: string; readonly effectId?: string; readonly toolId?: string };
  const signal = 'event' in body ? body.event : undefined;
  return traceViewsOf(body).map(({ view, category }) => ({
    ce_id: id,
    view,
    category,
    request_id: body.requestId,
    generation,
    seq,
    stage: fields.stage ?? null,
    effect_id: fields.effectId ?? null,
    tool_id: fields.toolId ?? signal?.toolId ?? null,
    occurred_at: time,
  }));
}
