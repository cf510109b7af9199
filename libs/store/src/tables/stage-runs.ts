import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/**
 * Stage runs: one attempt at a stage by one harness. A row is created by the directive that starts the stage run.
 * `status`: requested | running | waiting | completed | failed | cancelled.
 */
export const STAGE_RUNS = table('stage_runs', {
  meaning:
    'Attempts at stages. `status`: `requested`, `running`, `waiting`, `completed`, `failed` or `cancelled`. `timings` are milliseconds by step.',
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
  },
});
export type StageRunRow = RowOf<typeof STAGE_RUNS>;

export const stageRunsProjection = projection({ table: STAGE_RUNS, scope: 'request', mode: 'fold' });
