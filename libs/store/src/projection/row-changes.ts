import type {
  ApprovalRow,
  ArtifactRow,
  EventRow,
  RequestRow,
  SessionRow,
  StageRunRow,
  TraceViewRow,
  UnreadableRow,
  UsageRow,
} from '../schema/tables.ts';

/** Rows that later events may change, in their current state. */
export interface StateRows {
  readonly requests: readonly RequestRow[];
  readonly sessions: readonly SessionRow[];
  readonly stage_runs: readonly StageRunRow[];
  readonly approvals: readonly ApprovalRow[];
}

/** Rows that are written once and never change. */
export interface AppendedRows {
  readonly events: readonly EventRow[];
  readonly unreadable_messages: readonly UnreadableRow[];
  readonly trace_views: readonly TraceViewRow[];
  readonly usage: readonly UsageRow[];
  readonly artifacts: readonly ArtifactRow[];
}

/** The changes of a batch to the read model: complete rows, each key at most once. */
export type RowChanges = StateRows & AppendedRows;

export const NO_ROWS: StateRows = { requests: [], sessions: [], stage_runs: [], approvals: [] };
