/** The stage made no progress, or exceeded a time limit. */
const STALLED: ReadonlySet<string> = new Set([
  'harness_timeout_total',
  'harness_timeout_startup',
  'harness_timeout_idle',
  'harness_no_progress',
  'effect_timed_out',
]);

/** The stage may have acted, and its end was not seen. */
const UNKNOWN: ReadonlySet<string> = new Set(['effect_timed_out', 'stage_outcome_unknown']);

/**
 * The runtime, its host or its model failed, so that another runtime may succeed. Recorded runs depend on this list:
 * never remove a code, and add one only together with a new mark in the journal of new runs.
 */
const OF_RUNTIME: ReadonlySet<string> = new Set([
  ...STALLED,
  ...UNKNOWN,
  'harness_start_failed',
  'harness_exited',
  'harness_protocol_invalid',
  'harness_output_invalid',
  'harness_step_limit',
  'model_unauthorized',
  'model_call_refused',
  'model_rate_limited',
  'model_unavailable',
  'model_answer_cut',
  'model_answer_invalid',
  'stage_executor_lost',
  'stage_start_expired',
  'effect_not_started',
]);

/** Whether a stage failed with this code because it made no progress in time. */
export const isStalled = (code: string): boolean => STALLED.has(code);

/** Whether a stage that failed with this code may have acted. */
export const mayHaveActed = (code: string): boolean => UNKNOWN.has(code);

/** Whether another runtime may succeed where a stage failed with this code. */
export const isFailureOfRuntime = (code: string): boolean => OF_RUNTIME.has(code);
