import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/** Tokens and cost, one row per report. */
export const USAGE = table('usage', {
  meaning: 'Tokens and cost, one row per report. `cost_usd` is null if no price of the model is known.',
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
  },
});
export type UsageRow = RowOf<typeof USAGE>;

export const usageProjection = projection({ table: USAGE, scope: 'request', mode: 'append' });
