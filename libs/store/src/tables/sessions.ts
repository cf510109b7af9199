import { type EventType, NO_REQUEST } from '@reins/contracts';
import type { LogEvent } from '../projection/log-event.ts';
import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';
import { REQUESTS, type RequestRow } from './requests.ts';

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

export const sessionsProjection = projection({
  table: SESSIONS,
  scope: 'session',
  mode: 'fold',
  keysOf: ({ body }, { isLate }) =>
    body.requestId !== NO_REQUEST && (isLate || RELEVANT.has(body.type)) ? [[body.workspaceId, body.sessionId]] : [],
  evolve: (row, event, rows) => {
    const { type, requestId, agentId } = event.body;
    const request = rows.row(REQUESTS, requestId);
    if (row && rows.isLate) return repaired(row, event, request);
    if (!RELEVANT.has(type)) return row;
    if (type === STARTED) return updated(row, event, { last_request_id: requestId, agent_id: agentId });
    return updated(row, event, { tree: request?.tree ?? row?.tree ?? null });
  },
});

const STARTED = 'runtime.request.started';
const RELEVANT: ReadonlySet<EventType> = new Set([
  STARTED,
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);

function updated(row: SessionRow | undefined, { body, time, seq }: LogEvent, change: Partial<SessionRow>): SessionRow {
  const before = row ?? {
    workspace_id: body.workspaceId,
    session_id: body.sessionId,
    agent_id: body.agentId,
    last_request_id: body.requestId,
    tree: null,
    created_at: time,
    first_seq: seq,
  };
  return { ...before, ...change, updated_at: time, last_seq: seq };
}

/** Applies a late fact. Its run may have ended already, and may have got its tree from this fact. */
function repaired(row: SessionRow, { body, time }: LogEvent, request: RequestRow | undefined): SessionRow {
  const { type, requestId, agentId } = body;
  const after = type === STARTED ? { ...row, last_request_id: requestId, agent_id: agentId } : { ...row };
  if (request?.ended_at && after.last_request_id === requestId) after.tree = request.tree ?? row.tree;
  if (RELEVANT.has(type)) {
    if (time < row.created_at) after.created_at = time;
    if (time > row.updated_at) after.updated_at = time;
  }
  return after;
}
