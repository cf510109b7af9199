import { expect, test } from '@jest/globals';
import { emptyResource } from '@opentelemetry/resources';
import { Registry } from 'prom-client';
import { METRICS, newGauge, newHistogram } from '../metrics/metrics.ts';
import { prometheusProducer } from './otlp-metrics.ts';

test('exports the metrics that OpenTelemetry defines under its names', async () => {
  const registry = new Registry();
  newGauge(registry, METRICS.hostSlots, () => 4);
  const labels = { operation: 'chat', provider: 'openai', model: 'gpt' };
  newHistogram(registry, METRICS.modelTokens).observe({ ...labels, type: 'input' }, 50);
  newHistogram(registry, METRICS.modelSeconds).observe({ ...labels, error: '' }, 0.2);
  const { resourceMetrics } = await prometheusProducer(registry, emptyResource()).collect();
  const metrics = resourceMetrics.scopeMetrics.flatMap(({ metrics: all }) => all);
  const named = Object.fromEntries(
    metrics.map(({ descriptor, dataPoints }) => [`${descriptor.name} ${descriptor.unit}`, dataPoints[0]?.attributes]),
  );
  const common = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt' };
  expect(named).toEqual({
    'reins_host_slots ': {},
    'gen_ai.client.token.usage {token}': { ...common, 'gen_ai.token.type': 'input' },
    'gen_ai.client.operation.duration s': common,
  });
});
