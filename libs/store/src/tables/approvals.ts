import { projection } from '../projection/projection.ts';
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

export const approvalsProjection = projection({ table: APPROVALS, scope: 'request', mode: 'fold' });
