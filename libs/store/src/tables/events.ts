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

export const eventsProjection = projection({ table: EVENTS, scope: 'request', mode: 'append' });
