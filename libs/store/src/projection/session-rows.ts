import { NO_REQUEST } from '@reins/contracts';
import type { RequestRow } from '../tables/requests.ts';
import type { SessionRow } from '../tables/sessions.ts';
import type { LogEvent } from './log-event.ts';

/**
 * Returns the session row after an event; the same object if nothing changes.
 * @param request the request row, with the event already applied
 */
export function sessionAfter(
  row: SessionRow | undefined,
  request: RequestRow | undefined,
  event: LogEvent,
): SessionRow | undefined {
  const { body } = event;
  if (body.requestId === NO_REQUEST) return row;
  switch (body.type) {
    case 'runtime.request.started':
      return updated(row, event, { last_request_id: body.requestId, agent_id: body.agentId });
    case 'runtime.request.completed':
    case 'runtime.request.failed':
    case 'runtime.request.cancelled':
      return updated(row, event, { tree: request?.tree ?? row?.tree ?? null });
    default:
      return row;
  }
}

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
