import { type JsonValue, subjectTypeOf } from '@reins/contracts';
import type { LogEvent } from '../projection/log-event.ts';
import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/**
 * All facts, signals and directives, once per id. `generation` is the number of the stream that the row was read from.
 */
export const EVENTS = table('events', {
  meaning: 'Every fact, signal and directive, once per id. `body` is the event as in events.md.',
  key: ['ce_id'],
  columns: {
    ce_id: 'text',
    generation: 'integer',
    seq: 'bigint',
    subject: 'text',
    type: 'text',
    source: 'text',
    workspace_id: 'text',
    request_id: 'text',
    session_id: 'text',
    agent_id: 'text',
    version: 'integer?',
    causation: 'text?',
    occurred_at: 'timestamptz',
    body: 'jsonb',
  },
});
export type EventRow = RowOf<typeof EVENTS>;

export const eventsProjection = projection({
  table: EVENTS,
  scope: 'request',
  mode: 'append',
  evolve: (event, generation) => [eventRow(event, generation)],
});

export function eventRow(
  { id, seq, subject, source, time, version, causation, body }: LogEvent,
  generation: number,
): EventRow {
  return {
    ce_id: id,
    generation,
    seq,
    subject,
    type: subjectTypeOf(body),
    source,
    workspace_id: body.workspaceId,
    request_id: body.requestId,
    session_id: body.sessionId,
    agent_id: body.agentId,
    version: version ?? null,
    causation: causation ?? null,
    occurred_at: time,
    body: body as unknown as JsonValue,
  };
}
