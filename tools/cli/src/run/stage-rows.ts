import { defined, type ErrorInfo, type JsonValue } from '@reins/contracts';
import type { RequestDetail, StageRunDetail, UsageDetail } from '../client/api-types.ts';

/** One attempt at a stage, as JSON output and tables show it. */
export interface StageRow {
  /** The run of the stage: the request, or a child run. */
  readonly request_id: string;
  readonly stage: string;
  /** 1 for the first run of this stage, 2 for the second. All attempts at one run have the same number. */
  readonly iteration?: number;
  readonly runtime_id: string;
  readonly runtime_source: string | null;
  readonly attempt: number;
  readonly status: string;
  /** The request that ran the stage, if the run was forked from it and shares the stage. */
  readonly shared_from?: string;
  readonly started_at?: string;
  /** From the request of the stage to its start. */
  readonly queue_ms?: number;
  /** While the stage waits for a host: its place in the queue of its runtime. */
  readonly queue_position?: number;
  /** 0 while no host offers the runtime. */
  readonly queue_slots?: number;
  /** How long it will wait, if that is known. */
  readonly queue_estimate_ms?: number | 'unknown';
  /** What the stage waits for: a step of its preparation, or a model call without a response. */
  readonly progress?: string;
  readonly duration_ms?: number;
  readonly model?: string;
  readonly input_tokens?: number;
  readonly cached_input_tokens?: number;
  readonly output_tokens?: number;
  /** `unknown` if no price of the model is known. */
  readonly cost_usd?: number | 'unknown';
  readonly verdict?: JsonValue;
  readonly error?: ErrorInfo;
}

/** The stage runs of a request, in the order of their start. */
export function stageRows({ stages }: Pick<RequestDetail, 'stages'>): StageRow[] {
  const iterationByRun = iterations(stages);
  return stages.map((run) => {
    const { requestId, stage, runtimeId, runtimeSource, attempt, status, requestedAt, startedAt, durationMs } = run;
    const iteration = iterationByRun.get(run);
    return {
      request_id: requestId,
      stage,
      ...defined({ iteration }),
      runtime_id: runtimeId,
      runtime_source: runtimeSource ?? null,
      attempt,
      status,
      ...defined({ shared_from: run.sharedFrom, started_at: startedAt }),
      ...(requestedAt !== undefined && startedAt !== undefined && { queue_ms: between(requestedAt, startedAt) }),
      ...(run.queue && {
        queue_position: run.queue.position,
        ...defined({ queue_slots: run.queue.slots }),
        queue_estimate_ms: run.queue.estimatedWaitMs ?? ('unknown' as const),
      }),
      ...defined({ progress: run.progress, duration_ms: durationMs }),
      ...(run.usage && usageFields(run.usage)),
      ...defined({ verdict: run.verdict }),
      ...(run.error && { error: run.error }),
    };
  });
}

/** The iteration of each stage run whose effect is known. */
function iterations(stages: readonly StageRunDetail[]): ReadonlyMap<StageRunDetail, number> {
  const effects = new Map<string, string[]>();
  const found = new Map<StageRunDetail, number>();
  for (const run of stages) {
    if (run.effectId === undefined) continue;
    const key = `${run.requestId} ${run.stage}`;
    const known = effects.get(key) ?? [];
    if (!known.includes(run.effectId)) known.push(run.effectId);
    effects.set(key, known);
    found.set(run, known.indexOf(run.effectId) + 1);
  }
  return found;
}

function usageFields({ inputTokens, cachedInputTokens, outputTokens, model, costUsd }: UsageDetail) {
  return {
    ...defined({ model }),
    input_tokens: inputTokens,
    cached_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    cost_usd: costUsd ?? ('unknown' as const),
  };
}

const between = (from: string, to: string): number => Date.parse(to) - Date.parse(from);
