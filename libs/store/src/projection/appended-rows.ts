import { type EventOf, type JsonValue, subjectTypeOf } from '@reins/contracts';
import type { ArtifactRow } from '../tables/artifacts.ts';
import type { EventRow } from '../tables/events.ts';
import type { TraceViewRow } from '../tables/trace-views.ts';
import type { UnreadableRow } from '../tables/unreadable-messages.ts';
import type { UsageRow } from '../tables/usage.ts';
import type { LogEvent, UnreadableMessage } from './log-event.ts';
import { traceViewsOf } from './views.ts';

export function eventRow(
  { id, seq, subject, source, time, version, causation, body }: LogEvent,
  generation: number,
): EventRow {
  return {
    ce_id: id,
    generation,
    seq,
    subject,
    type: subjectTypeOf(body),
    source,
    workspace_id: body.workspaceId,
    request_id: body.requestId,
    session_id: body.sessionId,
    agent_id: body.agentId,
    version: version ?? null,
    causation: causation ?? null,
    occurred_at: time,
    body: body as unknown as JsonValue,
  };
}

export function unreadableRow(
  { seq, subject, id, time, problem }: UnreadableMessage,
  generation: number,
): UnreadableRow {
  return { generation, seq, subject, ce_id: id ?? null, code: problem.code, message: problem.message, stored_at: time };
}

export function traceViewRows({ id, seq, time, body }: LogEvent, generation: number): TraceViewRow[] {
  const fields = body as { readonly stage?: string; readonly effectId?: string; readonly toolId?: string };
  const signal = 'event' in body ? body.event : undefined;
  return traceViewsOf(body).map(({ view, category }) => ({
    ce_id: id,
    view,
    category,
    request_id: body.requestId,
    generation,
    seq,
    stage: fields.stage ?? null,
    effect_id: fields.effectId ?? null,
    tool_id: fields.toolId ?? signal?.toolId ?? null,
    occurred_at: time,
  }));
}

export function usageRow({ id, time }: LogEvent, body: EventOf<'runtime.usage.recorded'>): UsageRow {
  return {
    ce_id: id,
    request_id: body.requestId,
    workspace_id: body.workspaceId,
    session_id: body.sessionId,
    stage: body.stage,
    runtime_id: body.runtimeId,
    provider: body.provider,
    model: body.model,
    input_tokens: body.inputTokens,
    cached_input_tokens: body.cachedInputTokens,
    output_tokens: body.outputTokens,
    cost_usd: body.costUsd ?? null,
    occurred_at: time,
  };
}

export function artifactRow(
  { time, seq }: LogEvent,
  { requestId, artifact }: EventOf<'runtime.artifact.created'>,
): ArtifactRow {
  return {
    request_id: requestId,
    artifact_id: artifact.id,
    path: artifact.path,
    media_type: artifact.mediaType,
    bytes: artifact.bytes,
    sha256: artifact.sha256,
    ref: artifact.ref,
    created_at: time,
    last_seq: seq,
  };
}
