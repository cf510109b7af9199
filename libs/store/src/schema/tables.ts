import { type RowOf, table } from './table.ts';

/** Submitted requests. `status`: running | waiting | completed | failed | cancelled. */
export const REQUESTS = table('requests', ['request_id'], {
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
});

/** Sessions of requests. */
export const SESSIONS = table('sessions', ['workspace_id', 'session_id'], {
  workspace_id: 'text',
  session_id: 'text',
  agent_id: 'text',
  last_request_id: 'text',
  tree: 'text?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  first_seq: 'bigint',
  last_seq: 'bigint',
});

/**
 * Stage runs: one attempt at a stage by one harness. A row is created by the directive that starts the stage run.
 * `status`: requested | running | waiting | completed | failed | cancelled.
 */
export const STAGE_RUNS = table('stage_runs', ['request_id', 'effect_id', 'attempt'], {
  request_id: 'text',
  effect_id: 'text',
  attempt: 'integer',
  workspace_id: 'text',
  session_id: 'text',
  stage: 'text',
  runtime_id: 'text',
  runtime_source: 'text?',
  directive: 'text?',
  status: 'text',
  host_id: 'text?',
  harness_session_id: 'text?',
  input_tree: 'text?',
  tree: 'text?',
  output: 'jsonb?',
  verdict: 'jsonb?',
  question: 'jsonb?',
  error: 'jsonb?',
  outcome: 'text?',
  retryable: 'boolean?',
  provider: 'text?',
  model: 'text?',
  input_tokens: 'bigint?',
  cached_input_tokens: 'bigint?',
  output_tokens: 'bigint?',
  cost_usd: 'double precision?',
  timings: 'jsonb?',
  requested_at: 'timestamptz?',
  deadline: 'timestamptz?',
  started_at: 'timestamptz?',
  ended_at: 'timestamptz?',
  first_seq: 'bigint',
  last_seq: 'bigint',
  /** Of a stage of a child run: the parent of that run, and the request that both belong to. */
  parent_request_id: 'text?',
  root_request_id: 'text?',
});

/**
 * All facts, signals and directives, once per id. `generation` is the number of the stream that the row was read from.
 */
export const EVENTS = table('events', ['ce_id'], {
  ce_id: 'text',
  generation: 'integer',
  seq: 'bigint',
  subject: 'text',
  type: 'text',
  source: 'text',
  workspace_id: 'text',
  request_id: 'text',
  session_id: 'text',
  agent_id: 'text',
  version: 'integer?',
  causation: 'text?',
  occurred_at: 'timestamptz',
  body: 'jsonb',
});

/** Messages that are not valid events; stored and listed, never dropped. */
export const UNREADABLE = table('unreadable_messages', ['generation', 'seq'], {
  generation: 'integer',
  seq: 'bigint',
  subject: 'text',
  ce_id: 'text?',
  code: 'text',
  message: 'text',
  stored_at: 'timestamptz',
});

/** Events by trace view; the event itself is in `events`. */
export const TRACE_VIEWS = table('trace_views', ['ce_id', 'view'], {
  ce_id: 'text',
  view: 'text',
  category: 'text',
  request_id: 'text',
  generation: 'integer',
  seq: 'bigint',
  stage: 'text?',
  effect_id: 'text?',
  tool_id: 'text?',
  occurred_at: 'timestamptz',
});

/** Tokens and cost, one row per report. */
export const USAGE = table('usage', ['ce_id'], {
  ce_id: 'text',
  request_id: 'text',
  workspace_id: 'text',
  session_id: 'text',
  stage: 'text',
  runtime_id: 'text',
  provider: 'text',
  model: 'text',
  input_tokens: 'bigint',
  cached_input_tokens: 'bigint',
  output_tokens: 'bigint',
  cost_usd: 'double precision?',
  occurred_at: 'timestamptz',
});

/** Files that a run produced for the user. */
export const ARTIFACTS = table('artifacts', ['request_id', 'artifact_id'], {
  request_id: 'text',
  artifact_id: 'text',
  path: 'text',
  media_type: 'text',
  bytes: 'bigint',
  sha256: 'text',
  ref: 'text',
  created_at: 'timestamptz',
  last_seq: 'bigint',
});

/** Approvals. `status`: requested | approved | denied | expired. */
export const APPROVALS = table('approvals', ['request_id', 'approval_id'], {
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
});

/** Position of the projection, written in the same transaction as the rows. `stream` is the identity of the stream. */
export const CHECKPOINTS = table('projection_checkpoints', ['name'], {
  name: 'text',
  stream: 'text',
  generation: 'integer',
  seq: 'bigint',
  ce_id: 'text?',
  updated_at: 'timestamptz',
});

/** All tables that the event log is projected into. */
export const PROJECTED = [
  REQUESTS,
  SESSIONS,
  STAGE_RUNS,
  EVENTS,
  UNREADABLE,
  TRACE_VIEWS,
  USAGE,
  ARTIFACTS,
  APPROVALS,
] as const;
export const TABLES = [...PROJECTED, CHECKPOINTS] as const;

export type RequestRow = RowOf<typeof REQUESTS>;
export type SessionRow = RowOf<typeof SESSIONS>;
export type StageRunRow = RowOf<typeof STAGE_RUNS>;
export type EventRow = RowOf<typeof EVENTS>;
export type UnreadableRow = RowOf<typeof UNREADABLE>;
export type TraceViewRow = RowOf<typeof TRACE_VIEWS>;
export type UsageRow = RowOf<typeof USAGE>;
export type ArtifactRow = RowOf<typeof ARTIFACTS>;
export type ApprovalRow = RowOf<typeof APPROVALS>;
export type CheckpointRow = RowOf<typeof CHECKPOINTS>;

/** The Kysely schema. */
export type Schema = { [T in (typeof TABLES)[number] as T['name']]: RowOf<T> };
export type TableName = keyof Schema;
