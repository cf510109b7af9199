import type { EventOf } from '@reins/contracts';
import type { LogEvent } from '../projection/log-event.ts';
import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/** Tokens and cost, one row per report. */
export const USAGE = table('usage', {
  meaning:
    'Tokens and cost, one row per report. `cost_usd` is null if no price of the model is known. `source`: `reported` by the provider, `estimated` in part, or `unknown`.',
  key: ['ce_id'],
  columns: {
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
    source: 'text',
  },
});
export type UsageRow = RowOf<typeof USAGE>;

export const usageProjection = projection({
  table: USAGE,
  scope: 'request',
  mode: 'append',
  evolve: (event) => (event.body.type === 'runtime.usage.recorded' ? [usageRow(event, event.body)] : []),
});

function usageRow({ id, time }: LogEvent, body: EventOf<'runtime.usage.recorded'>): UsageRow {
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
    // Executors report usage themselves if the host has not measured their calls.
    source: body.source ?? 'unknown',
  };
}
