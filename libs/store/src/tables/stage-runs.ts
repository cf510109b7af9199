import { type AnyEvent, type EventOf, isStage, type JsonValue, type Usage } from '@reins/contracts';
import type { LogEvent } from '../projection/log-event.ts';
import { type KnownRows, projection } from '../projection/projection.ts';
import { type Key } from '../projection/scope.ts';
import { errorJson, timestamp } from '../projection/values.ts';
import { type RowOf, table } from '../schema/table.ts';
import { REQUESTS, type RequestRow } from './requests.ts';

/** Stage runs: one attempt at a stage by one harness. */
export const STAGE_RUNS = table('stage_runs', {
  meaning:
    'Attempts at stages. `status`: `requested`, `running`, `waiting`, `completed`, `failed` or `cancelled`. `timings` are milliseconds by step. `progress` says what an attempt that has not ended waits for.',
  key: ['request_id', 'effect_id', 'attempt'],
  columns: {
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
    progress: 'text?',
  },
});
export type StageRunRow = RowOf<typeof STAGE_RUNS>;

export const stageRunsProjection = projection({
  table: STAGE_RUNS,
  scope: 'request',
  mode: 'fold',
  keysOf: stageRunKeys,
  evolve: stageRunAfter,
});

/** The effect and attempt that an event refers to. Without an attempt, the latest one. */
interface StageRunRef {
  readonly effectId: string;
  readonly attempt?: number;
}

/** Returns the stage run that an event refers to, if any. */
function stageRunOf(body: AnyEvent): StageRunRef | undefined {
  switch (body.type) {
    case 'runtime.stage.requested':
    case 'runtime.stage.claimed':
    case 'runtime.stage.progress':
    case 'runtime.stage.started':
    case 'runtime.stage.completed':
    case 'runtime.stage.failed':
    case 'runtime.stage.cancelled':
      return { effectId: body.effectId, attempt: body.attempt };
    case 'runtime.stage.waiting':
    case 'runtime.request.resumed':
      return { effectId: body.effectId };
    case 'control.directive.emitted':
      return directedStage(body);
    default:
      return undefined;
  }
}

/** A directive starts a stage run if its target is an execution node and it names a runtime. */
function directedStage({ targetType, targetId, extra }: EventOf<'control.directive.emitted'>): StageRunRef | undefined {
  if (targetType !== 'execution_node' || !isStage(extra?.stage) || typeof extra.runtime_id !== 'string')
    return undefined;
  const { attempt, effect_id: effectId } = extra;
  if (typeof attempt !== 'number' || !Number.isSafeInteger(attempt) || attempt < 1) return undefined;
  return { effectId: typeof effectId === 'string' ? effectId : targetId, attempt };
}

function stageRunKeys(event: LogEvent, rows: KnownRows): readonly Key[] {
  const { body } = event;
  if (body.type === 'runtime.child.started') {
    return [...rows.rowsOf(STAGE_RUNS, body.childRequestId)].map((row) => [row.request_id, row.effect_id, row.attempt]);
  }
  const ref = stageRunOf(body);
  if (!ref) return [];
  const { effectId, attempt = latestAttempt(rows, body.requestId, ref.effectId) ?? 1 } = ref;
  return [[body.requestId, effectId, attempt]];
}

function latestAttempt(rows: KnownRows, requestId: string, effectId: string): number | undefined {
  let latest: number | undefined;
  for (const row of rows.rowsOf(STAGE_RUNS, requestId)) {
    if (row.effect_id === effectId && row.attempt > (latest ?? 0)) latest = row.attempt;
  }
  return latest;
}

/**
 * Whether an event is a signal of a fenced attempt. A host stores every signal of an attempt before its end. A later
 * signal is from a host that lost its claim.
 */
export function isFenced({ body }: LogEvent, rows: KnownRows): boolean {
  if (body.type !== 'runtime.adapter.event') return false;
  const { requestId, effectId, attempt } = body;
  if (effectId === undefined || attempt === undefined) return false;
  if (rows.row(STAGE_RUNS, requestId, effectId, attempt)?.ended_at) return true;
  return (latestAttempt(rows, requestId, effectId) ?? 0) > attempt;
}

function stageRunAfter(
  row: StageRunRow | undefined,
  event: LogEvent,
  rows: KnownRows,
  [, , attempt]: Key,
): StageRunRow | undefined {
  const { body, seq } = event;
  if (body.type === 'runtime.child.started') return row && linked(row, rows.row(REQUESTS, row.request_id));
  if (row?.ended_at && body.type !== 'control.directive.emitted') return row;
  const change = changeOf(row, event);
  if (!change) return row;
  const before = row ?? newStageRun(Number(attempt), event, rows.row(REQUESTS, body.requestId));
  return before && { ...before, ...change, last_seq: seq };
}

/** The stage runs of a child run have the parent of their run. */
function linked(row: StageRunRow, run: RequestRow | undefined): StageRunRow {
  if (row.parent_request_id !== null || !run) return row;
  const { parent_request_id, root_request_id } = run;
  return parent_request_id === null ? row : { ...row, parent_request_id, root_request_id };
}

function changeOf(row: StageRunRow | undefined, { body, time }: LogEvent): Partial<StageRunRow> | undefined {
  switch (body.type) {
    case 'runtime.stage.requested':
      // A suspended stage continues.
      if (body.resume && row) return { status: 'requested', question: null, host_id: null };
      return {
        stage: body.stage,
        runtime_id: body.runtimeId,
        runtime_source: body.runtimeSource ?? row?.runtime_source ?? null,
        requested_at: time,
        deadline: timestamp(body.deadline),
        input_tree: body.tree,
      };
    case 'control.directive.emitted':
      return {
        directive: row?.directive ?? body.directive,
        runtime_id: String(body.extra?.runtime_id),
        runtime_source: textOrNull(body.extra?.runtime_source) ?? row?.runtime_source ?? null,
      };
    case 'runtime.stage.claimed':
      return { host_id: body.hostId };
    case 'runtime.stage.progress':
      return { progress: body.label };
    case 'runtime.stage.started':
      return {
        status: 'running',
        progress: null,
        started_at: row?.started_at ?? time,
        // A shared stage of a fork has no request.
        runtime_source: row?.runtime_source ?? body.runtimeSource ?? null,
        input_tree: row?.input_tree ?? body.tree ?? null,
        host_id: body.hostId,
        harness_session_id: body.harnessSessionId ?? null,
        timings: mergedTimings(row, body.timings),
      };
    case 'runtime.stage.waiting':
      return { status: 'waiting', progress: null, question: body.question, ...usageColumns(row, body.usage) };
    case 'runtime.request.resumed':
      return row?.status === 'waiting' ? { status: 'running', question: null } : undefined;
    case 'runtime.stage.completed':
      return {
        status: 'completed',
        progress: null,
        ended_at: time,
        output: body.output,
        tree: body.tree,
        verdict: body.verdict ? { ...body.verdict } : null,
        harness_session_id: body.harnessSessionId ?? row?.harness_session_id ?? null,
        timings: mergedTimings(row, body.timings),
        ...usageColumns(row, body.usage),
      };
    case 'runtime.stage.failed':
      return {
        status: 'failed',
        progress: null,
        ended_at: time,
        error: errorJson(body.error),
        retryable: body.retryable,
        outcome: body.outcome ?? 'failed',
        ...usageColumns(row, body.usage),
      };
    case 'runtime.stage.cancelled':
      return { status: 'cancelled', progress: null, ended_at: time };
    default:
      return undefined;
  }
}

/** Each part of a stage that asks questions has its own usage. They are added. */
function usageColumns(row: StageRunRow | undefined, usage: Usage | undefined): Partial<StageRunRow> {
  if (!usage) return {};
  return {
    provider: usage.provider ?? null,
    model: usage.model ?? null,
    input_tokens: (row?.input_tokens ?? 0) + usage.inputTokens,
    cached_input_tokens: sumOfKnown(row?.cached_input_tokens, usage.cachedInputTokens),
    output_tokens: (row?.output_tokens ?? 0) + usage.outputTokens,
    cost_usd: costOfAll(row, usage),
  };
}

/** The cost of all parts. Null if the cost of one part is unknown. */
function costOfAll(row: StageRunRow | undefined, { costUsd }: Usage): number | null {
  if (costUsd === undefined) return null;
  const isFirst = typeof row?.input_tokens !== 'number';
  if (isFirst) return costUsd;
  return typeof row.cost_usd === 'number' ? row.cost_usd + costUsd : null;
}

function sumOfKnown(before: number | null | undefined, added: number | undefined): number | null {
  if (typeof before !== 'number') return added ?? null;
  return before + (added ?? 0);
}

/** Merges the durations reported at the start and at the end, in milliseconds by step. */
function mergedTimings(row: StageRunRow | undefined, timings: Readonly<Record<string, number>> | undefined): JsonValue {
  const before = row?.timings;
  return { ...(typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {}), ...timings };
}

const textOrNull = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);

/** Creates a stage run row. Returns undefined if the event does not name stage and runtime. */
function newStageRun(
  attempt: number,
  { body, seq }: LogEvent,
  request: RequestRow | undefined,
): StageRunRow | undefined {
  const chosen = chosenRuntime(body);
  return (
    chosen && {
      request_id: body.requestId,
      effect_id: chosen.effectId,
      attempt,
      workspace_id: body.workspaceId,
      session_id: body.sessionId,
      stage: chosen.stage,
      runtime_id: chosen.runtimeId,
      ...EMPTY,
      first_seq: seq,
      last_seq: seq,
      parent_request_id: request?.parent_request_id ?? null,
      root_request_id: request?.root_request_id ?? null,
    }
  );
}

interface ChosenRuntime {
  readonly effectId: string;
  readonly stage: string;
  readonly runtimeId: string;
}

function chosenRuntime(body: AnyEvent): ChosenRuntime | undefined {
  if (body.type === 'control.directive.emitted') {
    const effectId = stageRunOf(body)?.effectId;
    return effectId === undefined
      ? undefined
      : { effectId, stage: String(body.extra?.stage), runtimeId: String(body.extra?.runtime_id) };
  }
  return 'effectId' in body && 'stage' in body && 'runtimeId' in body ? (body as ChosenRuntime) : undefined;
}

const EMPTY = {
  runtime_source: null,
  directive: null,
  status: 'requested',
  host_id: null,
  harness_session_id: null,
  input_tree: null,
  tree: null,
  output: null,
  verdict: null,
  question: null,
  error: null,
  outcome: null,
  retryable: null,
  provider: null,
  model: null,
  input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
  cost_usd: null,
  timings: null,
  requested_at: null,
  deadline: null,
  started_at: null,
  ended_at: null,
  progress: null,
} as const;
