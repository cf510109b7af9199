import type { JsonValue } from '@reins/contracts';
import type { LogEvent } from '../projection/log-event.ts';
import { projection } from '../projection/projection.ts';
import { timestamp } from '../projection/values.ts';
import { type RowOf, table } from '../schema/table.ts';

/** Approvals. `status`: requested | approved | denied | expired. */
export const APPROVALS = table('approvals', {
  meaning: 'Approvals and breakpoints. `status`: `requested`, `approved`, `denied` or `expired`.',
  key: ['request_id', 'approval_id'],
  columns: {
    request_id: 'text',
    approval_id: 'text',
    workspace_id: 'text',
    status: 'text',
    subject: 'jsonb?',
    requested_at: 'timestamptz?',
    expires_at: 'timestamptz?',
    resolved_at: 'timestamptz?',
    decided_by: 'text?',
    comment: 'text?',
    first_seq: 'bigint',
    last_seq: 'bigint',
  },
});
export type ApprovalRow = RowOf<typeof APPROVALS>;

export const approvalsProjection = projection({
  table: APPROVALS,
  scope: 'request',
  mode: 'fold',
  keysOf: ({ body }) =>
    'approvalId' in body && body.approvalId !== undefined ? [[body.requestId, body.approvalId]] : [],
  evolve: approvalAfter,
});

/** Returns the approval row after an event. The first decision is final. */
function approvalAfter(row: ApprovalRow | undefined, { body, time, seq }: LogEvent): ApprovalRow | undefined {
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
