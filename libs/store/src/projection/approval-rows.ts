import type { JsonValue } from '@reins/contracts';
import type { ApprovalRow } from '../tables/approvals.ts';
import type { LogEvent } from './log-event.ts';
import { timestamp } from './request-rows.ts';

/** Returns the approval row after an event. The first decision is final. */
export function approvalAfter(row: ApprovalRow | undefined, { body, time, seq }: LogEvent): ApprovalRow | undefined {
  if (body.type === 'runtime.approval.requested') {
    const requested = {
      subject: { ...body.subject } as JsonValue,
      requested_at: time,
      expires_at: timestamp(body.expiresAt),
    };
    return { ...(row ?? blank(body, seq)), ...requested, last_seq: seq };
  }
  if (body.type !== 'runtime.approval.resolved' || row?.resolved_at) return row;
  const decided = {
    status: body.decision,
    resolved_at: time,
    decided_by: body.decidedBy,
    comment: body.comment ?? null,
  };
  return { ...(row ?? blank(body, seq)), ...decided, last_seq: seq };
}

interface ApprovalIdentity {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly approvalId: string;
}

function blank({ requestId, approvalId, workspaceId }: ApprovalIdentity, seq: number): ApprovalRow {
  return {
    request_id: requestId,
    approval_id: approvalId,
    workspace_id: workspaceId,
    status: 'requested',
    subject: null,
    requested_at: null,
    expires_at: null,
    resolved_at: null,
    decided_by: null,
    comment: null,
    first_seq: seq,
    last_seq: seq,
  };
}
