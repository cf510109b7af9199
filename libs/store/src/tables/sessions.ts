import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/** Sessions of requests. */
export const SESSIONS = table('sessions', {
  meaning: 'Conversations, each with its last request and tree.',
  key: ['workspace_id', 'session_id'],
  columns: {
    workspace_id: 'text',
    session_id: 'text',
    agent_id: 'text',
    last_request_id: 'text',
    tree: 'text?',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    first_seq: 'bigint',
    last_seq: 'bigint',
  },
});
export type SessionRow = RowOf<typeof SESSIONS>;

export const sessionsProjection = projection({ table: SESSIONS, scope: 'session', mode: 'fold' });
