import { projection } from '../projection/projection.ts';
import { type RowOf, table } from '../schema/table.ts';

/** Submitted requests. `status`: running | waiting | completed | failed | cancelled. */
export const REQUESTS = table('requests', {
  meaning: 'Requests and their child runs. `status`: `running`, `waiting`, `completed`, `failed` or `cancelled`.',
  key: ['request_id'],
  columns: {
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
  },
});
export type RequestRow = RowOf<typeof REQUESTS>;

export const requestsProjection = projection({ table: REQUESTS, scope: 'request', mode: 'fold' });
