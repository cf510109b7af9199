import { type EventOf, NO_REQUEST, type ParentRef } from '@reins/contracts';
import type { LogEvent } from '../projection/log-event.ts';
import { type KnownRows, projection } from '../projection/projection.ts';
import { errorJson, timestamp } from '../projection/values.ts';
import { type RowOf, table } from '../schema/table.ts';
import { keptSignalsAfter, keptSignalsIn } from './kept-signals.ts';
import { type OpenWait, openWaitsIn, waitsAfter } from './open-waits.ts';

/** Submitted requests. `status`: running | waiting | completed | failed | cancelled. */
export const REQUESTS = table('requests', {
  meaning: 'Requests and their child runs. `status`: `running`, `waiting`, `completed`, `failed` or `cancelled`.',
  key: ['request_id'],
  columns: {
    request_id: 'text',
    workspace_id: 'text',
    session_id: 'text',
    agent_id: 'text',
    status: 'text',
    revision: 'text?',
    input: 'jsonb?',
    output: 'jsonb?',
    error: 'jsonb?',
    halted: 'boolean',
    cancel_reason: 'text?',
    waiting_reason: 'text?',
    waiting_effect_id: 'text?',
    waiting_expires_at: 'timestamptz?',
    tree: 'text?',
    started_at: 'timestamptz?',
    ended_at: 'timestamptz?',
    updated_at: 'timestamptz',
    first_seq: 'bigint',
    last_seq: 'bigint',
    /** Of a child run: the run and the effect that wait for it, and the request that both belong to. */
    parent_request_id: 'text?',
    parent_effect_id: 'text?',
    root_request_id: 'text?',
    /** What a waiting request waits for in words, the name of the signal, and the error of its process. */
    waiting_message: 'text?',
    waiting_signal: 'text?',
    waiting_error: 'jsonb?',
    /** The first line of the input. */
    input_line: 'text?',
    halt_reason: 'text?',
    /** The number of the question that a waiting request asks. */
    waiting_question_number: 'integer?',
    /** The request that this one retries. */
    retry_of: 'text?',
    /** Everything that it waits for, oldest first. */
    waits: 'jsonb?',
    /** Signals that nothing waited for when they arrived. */
    kept_signals: 'jsonb?',
    /** Who cancelled or halted it. */
    ended_by: 'text?',
    /** The request whose first stages it shares. */
    forked_from: 'text?',
  },
});
export type RequestRow = RowOf<typeof REQUESTS>;

export const requestsProjection = projection({
  table: REQUESTS,
  scope: 'request',
  mode: 'fold',
  keysOf: ({ body }) => {
    if (body.requestId === NO_REQUEST) return [];
    return [[body.type === 'runtime.child.started' ? body.childRequestId : body.requestId]];
  },
  evolve: requestAfter,
});

function requestAfter(row: RequestRow | undefined, event: LogEvent, rows: KnownRows): RequestRow | undefined {
  if (event.body.type === 'runtime.child.started') return linked(row, event.body, rows);
  if (row?.ended_at) return row;
  const known = openWaitsIn(row?.waits ?? null);
  const waits = waitsAfter(known, event.body, event.time);
  const kept = keptSignals(row, event);
  const change = changeOf(row, event) ?? (row && (waits !== known || kept) ? {} : undefined);
  if (!change) return undefined;
  const changed = { ...(row ?? newRequest(event)), ...change, ...kept, updated_at: event.time, last_seq: event.seq };
  return waitingForTasks({ ...changed, waits: waits.length === 0 ? null : [...waits] }, waits);
}

/** The change of the kept signals; undefined if there is none. */
function keptSignals(row: RequestRow | undefined, { body, time }: LogEvent): Partial<RequestRow> | undefined {
  const known = keptSignalsIn(row?.kept_signals ?? null);
  const kept = keptSignalsAfter(known, body, time);
  return kept === known ? undefined : { kept_signals: kept.length === 0 ? null : [...kept] };
}

/** A run without another wait waits for its oldest task. No event says so: tasks are also requested while a run works. */
function waitingForTasks(row: RequestRow, waits: readonly OpenWait[]): RequestRow {
  if (row.ended_at || (row.waiting_reason !== null && row.waiting_reason !== 'task')) return row;
  const task = waits.find(({ reason }) => reason === 'task');
  if (!task) return row.waiting_reason === null ? row : { ...row, status: 'running', ...NOT_WAITING };
  return {
    ...row,
    status: 'waiting',
    ...NOT_WAITING,
    waiting_reason: 'task',
    waiting_effect_id: task.effectId,
    waiting_expires_at: task.expiresAt ?? null,
    waiting_message: task.message ?? null,
  };
}

/** Earlier versions named the parent of a child run only in this fact of the parent. */
function linked(
  child: RequestRow | undefined,
  { requestId, effectId }: EventOf<'runtime.child.started'>,
  rows: KnownRows,
): RequestRow | undefined {
  if (!child || child.parent_request_id !== null) return child;
  const root = rows.row(REQUESTS, requestId)?.root_request_id ?? requestId;
  return { ...child, parent_request_id: requestId, parent_effect_id: effectId, root_request_id: root };
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
        input: body.input ?? null,
        input_line: body.inputLine ?? null,
        retry_of: body.retryOf ?? null,
        forked_from: body.forkedFrom ?? null,
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
        ended_by: body.haltedBy ?? null,
      };
    case 'runtime.request.failed':
      return { ...ended('failed', time), error: errorJson(body.error) };
    case 'runtime.request.cancelled':
      return { ...ended('cancelled', time), cancel_reason: body.reason ?? null, ended_by: body.cancelledBy ?? null };
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
    waits: null,
    kept_signals: null,
    ended_by: null,
    forked_from: null,
  };
}
