import { type ErrorInfo, type JsonValue, NO_REQUEST, type ParentRef } from '@reins/contracts';
import type { RequestRow } from '../tables/requests.ts';
import type { LogEvent } from './log-event.ts';

/** Returns the request row after an event; the same object if nothing changes. */
export function requestAfter(row: RequestRow | undefined, event: LogEvent): RequestRow | undefined {
  if (event.body.requestId === NO_REQUEST || row?.ended_at) return row;
  const change = changeOf(row, event);
  return change && { ...(row ?? newRequest(event)), ...change, updated_at: event.time, last_seq: event.seq };
}

const NOT_WAITING = {
  waiting_reason: null,
  waiting_effect_id: null,
  waiting_expires_at: null,
  waiting_message: null,
  waiting_signal: null,
  waiting_error: null,
  waiting_question_number: null,
} as const;

/** Returns the change of an event to the request row; undefined if there is none. */
function changeOf(row: RequestRow | undefined, { body, time }: LogEvent): Partial<RequestRow> | undefined {
  switch (body.type) {
    case 'runtime.request.started':
      return {
        started_at: time,
        input_line: body.inputLine ?? null,
        retry_of: body.retryOf ?? null,
        ...parentColumns(body.parent),
      };
    case 'runtime.request.waiting':
      return {
        status: 'waiting',
        waiting_reason: body.reason,
        waiting_effect_id: body.effectId,
        waiting_expires_at: timestamp(body.expiresAt),
        waiting_message: body.message ?? null,
        waiting_signal: body.signal ?? null,
        waiting_error: body.error ? errorJson(body.error) : null,
        waiting_question_number: body.questionNumber ?? null,
      };
    case 'runtime.request.resumed':
      return { status: 'running', ...NOT_WAITING };
    case 'runtime.request.completed':
      return {
        ...ended('completed', time),
        output: body.output,
        halted: body.halted ?? false,
        halt_reason: body.reason ?? null,
      };
    case 'runtime.request.failed':
      return { ...ended('failed', time), error: errorJson(body.error) };
    case 'runtime.request.cancelled':
      return { ...ended('cancelled', time), cancel_reason: body.reason ?? null };
    case 'runtime.plan.requested':
      return { revision: body.revision };
    case 'runtime.prepare.requested':
      return row?.input == null ? { input: body.input } : undefined;
    case 'runtime.stage.completed':
      return { tree: body.tree, ...withoutOpenQuestion(row, body.effectId) };
    case 'runtime.stage.failed':
    case 'runtime.stage.cancelled':
      return withoutOpenQuestion(row, body.effectId);
    default:
      return undefined;
  }
}

/** A stage with an open question has ended: the run no longer waits for the answer. */
function withoutOpenQuestion(row: RequestRow | undefined, effectId: string): Partial<RequestRow> | undefined {
  return row?.waiting_effect_id === effectId ? { status: 'running', ...NOT_WAITING } : undefined;
}

/** Deeper child runs that an earlier build started do not name the request at the top. */
function parentColumns(parent: ParentRef | undefined): Partial<RequestRow> {
  if (!parent) return {};
  const { requestId, effectId, rootRequestId = requestId } = parent;
  return { parent_request_id: requestId, parent_effect_id: effectId, root_request_id: rootRequestId };
}

const ended = (status: string, time: string) => ({ status, ended_at: time, ...NOT_WAITING });

function newRequest({ body, time, seq }: LogEvent): RequestRow {
  return {
    request_id: body.requestId,
    workspace_id: body.workspaceId,
    session_id: body.sessionId,
    agent_id: body.agentId,
    status: 'running',
    revision: null,
    input: null,
    output: null,
    error: null,
    halted: false,
    cancel_reason: null,
    ...NOT_WAITING,
    tree: null,
    started_at: null,
    ended_at: null,
    updated_at: time,
    first_seq: seq,
    last_seq: seq,
    parent_request_id: null,
    parent_effect_id: null,
    root_request_id: null,
    input_line: null,
    halt_reason: null,
    retry_of: null,
  };
}

/** Converts a time to millisecond precision; null if it is missing or invalid. */
export function timestamp(text: string | undefined): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function errorJson(error: ErrorInfo): JsonValue {
  return { ...error };
}
