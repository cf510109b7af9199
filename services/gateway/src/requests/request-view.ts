import { defined } from '@reins/contracts';
import {
  type ApprovalRow,
  type ArtifactRow,
  keptSignalsIn,
  type RequestRow,
  type RequestRows,
  type StageRunRow,
} from '@reins/store';
import type { AcceptedRequest } from './request-records.ts';
import type { RequestSummary, RequestView } from './requests.responses.ts';
import type { QueuePlaces } from './stage-queues.ts';
import type { QueueView, StageRunView, UsageView } from './stage-run.responses.ts';
import { waitingSummary, waitingView, waitViews } from './wait-view.ts';
import { withoutNulls } from './without-nulls.ts';

/** A request with its child runs in the form of the API, without empty fields. */
export function requestView(
  rows: RequestRows,
  record?: AcceptedRequest,
  queuePlaces: QueuePlaces = new Map(),
): RequestView {
  const { request, children, stageRuns, usage, artifacts, approvals, retriedBy } = rows;
  const waiting = waitingView(rows);
  return {
    ...nestedSummary(request, children, { record, retriedBy }),
    ...withoutNulls({
      input: request.input,
      output: request.output,
      error: request.error,
      cancelReason: request.cancel_reason,
      cancelledBy: request.status === 'cancelled' ? request.ended_by : null,
      tree: latestTree(stageRuns) ?? request.tree,
    }),
    ...(waiting && { waiting }),
    ...waitsOf(rows),
    ...keptSignalsOf(request),
    stages: stageRuns.map((row) => stageRunView(row, queuePlaces.get(row), sourceOf(row, rows))),
    usage: totalUsage(usage),
    artifacts: artifacts.map(artifactView),
    // A child run is asked under its own id.
    approvals: approvals.filter((row) => row.request_id === request.request_id).map(approvalView),
  };
}

/** The most waits that a view has. */
const MAX_WAITS = 100;

function waitsOf(rows: RequestRows): Pick<RequestView, 'waits' | 'waitCount'> {
  const waits = waitViews(rows);
  return waits.length <= MAX_WAITS ? { waits } : { waits: waits.slice(0, MAX_WAITS), waitCount: waits.length };
}

function keptSignalsOf({ kept_signals }: RequestRow): Pick<RequestView, 'keptSignals'> {
  const kept = keptSignalsIn(kept_signals);
  return kept.length === 0 ? {} : { keptSignals: kept.map(({ name, count, since }) => ({ name, count, since })) };
}

/** An accepted request without events in a list. */
export function acceptedSummary(record: AcceptedRequest): RequestSummary {
  const { requestId, workspaceId, sessionId, agentId, revision, acceptedAt, retryOf } = record;
  const retried = retryOf === undefined ? {} : { retryOf };
  const about = { requestId, workspaceId, sessionId, agentId, revision, acceptedAt, ...retried };
  return { ...about, status: 'accepted', updatedAt: acceptedAt };
}

/** The view of an accepted request without events. */
export function acceptedView(record: AcceptedRequest): RequestView {
  return {
    ...acceptedSummary(record),
    stages: [],
    usage: NO_USAGE,
    artifacts: [],
    approvals: [],
    waits: [],
  };
}

/** The tree of the stage that completed last, of the request or of a child run. */
function latestTree(stageRuns: readonly StageRunRow[]): string | null | undefined {
  const completed = stageRuns.filter((run) => run.status === 'completed' && run.tree !== null);
  return completed.sort((a, b) => timeOf(a.ended_at) - timeOf(b.ended_at) || a.last_seq - b.last_seq).at(-1)?.tree;
}

const timeOf = (time: string | null): number => Date.parse(time ?? '');

/** What is known of a request next to its rows. */
interface Known {
  readonly record?: AcceptedRequest | undefined;
  readonly retriedBy?: readonly string[] | undefined;
  readonly progress?: string | undefined;
}

/** A request with its child runs, each within its parent. @param children in start order */
export function nestedSummary(row: RequestRow, children: readonly RequestRow[], known: Known = {}): RequestSummary {
  const own = children.filter((child) => child.parent_request_id === row.request_id);
  const waiting = waitingSummary(row);
  return {
    ...requestSummary(row, known),
    ...(waiting && { waiting }),
    ...(own.length > 0 && { children: own.map((child) => nestedSummary(child, children)) }),
  };
}

function requestSummary(row: RequestRow, { record, retriedBy = [], progress }: Known): RequestSummary {
  return {
    requestId: row.request_id,
    workspaceId: row.workspace_id,
    sessionId: row.session_id,
    agentId: row.agent_id,
    status: row.status,
    updatedAt: row.updated_at,
    ...withoutNulls({
      parentRequestId: row.parent_request_id,
      inputLine: row.input_line,
      revision: row.revision ?? record?.revision ?? null,
      acceptedAt: record?.acceptedAt ?? null,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      durationMs: between(row.started_at, row.ended_at),
      halted: row.halted || null,
      haltReason: row.halt_reason,
      haltedBy: row.halted ? row.ended_by : null,
      retryOf: row.retry_of,
    }),
    ...(retriedBy.length > 0 && { retriedBy: [...retriedBy] }),
    ...defined({ progress }),
  };
}

/** The request that the run of a stage was forked from, if the fork shares this stage: nothing requested it again. */
function sourceOf(stage: StageRunRow, { request, children }: RequestRows): string | undefined {
  if (stage.requested_at !== null || stage.started_at === null) return undefined;
  const run = [request, ...children].find(({ request_id }) => request_id === stage.request_id);
  return run?.forked_from ?? undefined;
}

function stageRunView(row: StageRunRow, queue: QueueView | undefined, sharedFrom: string | undefined): StageRunView {
  return {
    requestId: row.request_id,
    effectId: row.effect_id,
    stage: row.stage,
    attempt: row.attempt,
    runtimeId: row.runtime_id,
    status: row.status,
    ...(queue && { queue }),
    ...withoutNulls({
      parentRequestId: row.parent_request_id,
      runtimeSource: row.runtime_source,
      directive: row.directive,
      progress: row.progress,
      hostId: row.host_id,
      inputTree: row.input_tree,
      tree: row.tree,
      output: row.output,
      verdict: row.verdict,
      question: row.question,
      error: row.error,
      outcome: row.outcome,
      timings: row.timings,
      requestedAt: row.requested_at,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      // The times of a shared stage are those of the fork.
      durationMs: sharedFrom === undefined ? between(row.started_at, row.ended_at) : null,
    }),
    ...defined({ sharedFrom }),
    ...(row.input_tokens !== null && { usage: stageUsage(row) }),
  };
}

function stageUsage(row: StageRunRow): UsageView {
  return {
    inputTokens: row.input_tokens ?? 0,
    cachedInputTokens: row.cached_input_tokens ?? 0,
    outputTokens: row.output_tokens ?? 0,
    ...withoutNulls({ costUsd: row.cost_usd, provider: row.provider, model: row.model }),
  };
}

const NO_USAGE: UsageView = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** The sum of all reports. Without the price of a model that used tokens, the cost is unknown, and absent. */
function totalUsage(rows: RequestRows['usage']): UsageView {
  const { costUsd, ...tokens } = rows.reduce(addUsage, NO_USAGE);
  const isKnown = rows.every((row) => row.cost_usd !== null || row.input_tokens + row.output_tokens === 0);
  const source = SOURCES.find((each) => rows.some((row) => row.source === each));
  return { ...tokens, ...(isKnown && costUsd !== undefined && { costUsd }), ...(source && { source }) };
}

/** The least certain source of a report is that of the sum. */
const SOURCES = ['unknown', 'estimated', 'reported'] as const;

function addUsage(sum: UsageView, row: RequestRows['usage'][number]): UsageView {
  const cost = row.cost_usd === null ? sum.costUsd : (sum.costUsd ?? 0) + row.cost_usd;
  return {
    inputTokens: sum.inputTokens + row.input_tokens,
    cachedInputTokens: sum.cachedInputTokens + row.cached_input_tokens,
    outputTokens: sum.outputTokens + row.output_tokens,
    ...defined({ costUsd: cost }),
  };
}

const artifactView = ({ artifact_id, path, media_type, bytes, sha256, ref }: ArtifactRow) => ({
  id: artifact_id,
  path,
  mediaType: media_type,
  bytes,
  sha256,
  ref,
});

const approvalView = (row: ApprovalRow) => ({
  approvalId: row.approval_id,
  status: row.status,
  ...withoutNulls({
    subject: row.subject,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    resolvedAt: row.resolved_at,
    decidedBy: row.decided_by,
    comment: row.comment,
  }),
});

/** Milliseconds between two times; null unless both are known. */
export function between(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Date.parse(to) - Date.parse(from);
}
