import { METRICS, newCounter, newHistogram } from '@reins/service-kit';
import type { Registry } from 'prom-client';
import type { StagePorts } from './stage/stage-ports.ts';

const MS = 1000;

/** Registers the metrics of model calls. Returns what records a call. */
export function modelMetrics(registry: Registry): StagePorts['measureCall'] {
  const seconds = newHistogram(registry, METRICS.modelSeconds);
  const firstToken = newHistogram(registry, METRICS.modelFirstTokenSeconds);
  const tokens = newHistogram(registry, METRICS.modelTokens);
  const cost = newCounter(registry, METRICS.modelCost);
  return ({ call, operation, error = '' }) => {
    const labels = { operation, provider: call.provider, model: call.model };
    seconds.observe({ ...labels, error }, call.durationMs / MS);
    if (call.firstTokenMs !== undefined) firstToken.observe(labels, call.firstTokenMs / MS);
    const counts = { input: call.inputTokens, cached: call.cachedInputTokens, output: call.outputTokens };
    for (const [type, count] of Object.entries(counts))
      if (count !== undefined) tokens.observe({ ...labels, type }, count);
    if (call.costUsd !== undefined) cost.inc(labels, call.costUsd);
  };
}
