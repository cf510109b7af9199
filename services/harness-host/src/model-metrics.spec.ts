import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { modelMetrics } from './model-metrics.ts';

test('counts the tokens and the cost of model calls, and nothing for what is unknown', async () => {
  const registry = new Registry();
  const measure = modelMetrics(registry);
  const call = { provider: 'openai', model: 'gpt', durationMs: 200, status: 200 };
  const at = { operation: 'chat', from: 0, to: 200 } as const;
  const tokens = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 20, costUsd: 0.25, firstTokenMs: 40 };
  measure({ ...at, call: { ...call, ...tokens, usage: 'reported' } });
  measure({ ...at, call: { ...call, usage: 'unknown' }, error: '429' });
  const text = await registry.metrics();
  const labels = 'operation="chat",provider="openai",model="gpt"';
  expect(text).toContain(`reins_model_call_tokens_sum{${labels},type="input"} 100`);
  expect(text).toContain(`reins_model_call_tokens_sum{${labels},type="cached"} 60`);
  expect(text).toContain(`reins_model_call_tokens_sum{${labels},type="output"} 20`);
  expect(text).toContain(`reins_model_cost_dollars_total{${labels}} 0.25`);
  expect(text).toContain(`reins_model_first_token_seconds_sum{${labels}} 0.04`);
  expect(text).toContain(`reins_model_call_seconds_count{${labels},error="429"} 1`);
});
