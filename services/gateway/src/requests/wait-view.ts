import { isObject, type JsonValue } from '@reins/contracts';
import {
  type ApprovalRow,
  type OpenWait,
  openWaitsIn,
  type RequestRow,
  type RequestRows,
  type StageRunRow,
} from '@reins/store';
import type { WaitingView, WaitView } from './wait.responses.ts';
import { withoutNulls } from './without-nulls.ts';

/** What a request waits for: one of its waits, without the question. Undefined when it does not wait. */
export function waitingSummary(row: RequestRow): WaitingView | undefined {
  if (row.waiting_reason === null) return undefined;
  const wait = openWaitsIn(row.waits).find(({ effectId }) => effectId === row.waiting_effect_id);
  return withoutNulls({
    reason: row.waiting_reason,
    effectId: row.waiting_effect_id,
    expiresAt: row.waiting_expires_at,
    questionNumber: row.waiting_question_number,
    message: row.waiting_message,
    signal: row.waiting_signal,
    label: wait?.label ?? null,
    process: wait?.process ?? null,
    error: row.waiting_error,
    pausedBy: wait?.pausedBy ?? null,
  }) as unknown as WaitingView;
}

/** The same, with the question. */
export function waitingView(rows: RequestRows): WaitingView | undefined {
  const waiting = waitingSummary(rows.request);
  return waiting && withQuestion(waiting, rows.request.request_id, rows);
}

/** Everything that a request and its child runs wait for, oldest first. */
export function waitViews(rows: RequestRows): WaitView[] {
  return [rows.request, ...rows.children].flatMap((run) =>
    openWaitsOf(run).map((wait) =>
      withQuestion({ requestId: run.request_id, ...wait } as unknown as WaitView, run.request_id, rows),
    ),
  );
}

/** A run that continued waits at most for tasks, even if the log does not show the end of each other wait. */
function openWaitsOf({ ended_at, waiting_reason, waits }: RequestRow): readonly OpenWait[] {
  if (ended_at !== null || waiting_reason === null) return [];
  const open = openWaitsIn(waits);
  return waiting_reason === 'task' ? open.filter(({ reason }) => reason === 'task') : open;
}

function withQuestion<W extends WaitingView>(wait: W, requestId: string, { stageRuns, approvals }: RequestRows): W {
  const own = { stageRuns: stageRuns.filter(isOf(requestId)), approvals: approvals.filter(isOf(requestId)) };
  const question = openQuestion(wait.effectId, own.stageRuns, own.approvals);
  return question === null ? wait : { ...wait, question };
}

const isOf =
  (requestId: string) =>
  (row: { readonly request_id: string }): boolean =>
    row.request_id === requestId;

/** The question of a stage, or of a breakpoint. */
function openQuestion(
  effectId: string,
  stageRuns: readonly StageRunRow[],
  approvals: readonly ApprovalRow[],
): JsonValue {
  const stage = stageRuns.findLast((run) => run.status === 'waiting' && run.effect_id === effectId);
  if (stage) return stage.question;
  const subject = approvals.find((approval) => approval.approval_id === effectId)?.subject;
  const detail = isObject(subject) ? subject.detail : undefined;
  return isObject(detail) ? ((detail.payload as JsonValue | undefined) ?? null) : null;
}
