import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { METRICS, type MetricDefinition, type SemanticMetric } from '../metrics/metrics.ts';

type PromMetric = MetricObjectWithValues<MetricValue<string>>;
type Point = PromMetric['values'][number] & { readonly metricName?: string };

/** Converts the metrics of `/metrics` to OTLP, so that everything is measured once. */
export function prometheusProducer(registry: Registry, resource: Resource): MetricProducer {
  const startTime = now();
  return {
    collect: async () => {
      const metrics = (await registry.getMetricsAsJSON()) as readonly PromMetric[];
      const times = { startTime, endTime: now() };
      const data = metrics.flatMap((metric) => metricData(metric, times));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'reins' }, metrics: data }] }, errors: [] };
    },
  };
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

function metricData(metric: PromMetric, times: Times): MetricData[] {
  const semantic = SEMANTIC.get(metric.name);
  const descriptor = {
    name: semantic?.name ?? metric.name,
    description: metric.help,
    unit: semantic?.unit ?? (metric.name.includes('seconds') ? 's' : ''),
    valueType: ValueType.DOUBLE,
  };
  const head = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const points = semantic ? withAttributes(metric.values, semantic) : (metric.values as readonly Point[]);
  switch (String(metric.type)) {
    case 'counter':
      return [{ ...head, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers(points, times) }];
    case 'gauge':
      return [{ ...head, dataPointType: DataPointType.GAUGE, dataPoints: numbers(points, times) }];
    case 'histogram':
      return [{ ...head, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric.name, points, times) }];
    default:
      return [];
  }
}

/** The metrics that OpenTelemetry defines. */
const SEMANTIC: ReadonlyMap<string, SemanticMetric> = new Map(
  Object.values(METRICS).flatMap(({ name, semantic }: MetricDefinition) => (semantic ? [[name, semantic]] : [])),
);

/** The points with the attributes that OpenTelemetry defines. An empty label is no attribute. */
const withAttributes = (points: readonly Point[], { attributes }: SemanticMetric): Point[] =>
  points.map((point) => ({
    ...point,
    labels: Object.fromEntries(
      Object.entries(point.labels)
        .filter(([, value]) => value !== '')
        .map(([label, value]) => [attributes[label] ?? label, value]),
    ),
  }));

const numbers = (points: readonly Point[], times: Times): DataPoint<number>[] =>
  points.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }));

/** Prometheus buckets are cumulative; OTLP buckets count the values between two bounds. */
function histograms(name: string, points: readonly Point[], times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(points, ({ labels: { le: _, ...labels } }: Point) => JSON.stringify(labels));
  return [...series].map(([labels, of]) => {
    const only = (suffix: string) => of.filter(({ metricName }) => metricName === `${name}_${suffix}`);
    const buckets = only('bucket').sort((a, b) => bound(a) - bound(b));
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    const value: Histogram = {
      buckets: { boundaries: buckets.map(bound).filter(Number.isFinite), counts },
      sum: only('sum')[0]?.value ?? 0,
      count: only('count')[0]?.value ?? 0,
    };
    return { ...times, attributes: JSON.parse(labels), value };
  });
}

const bound = ({ labels }: Point): number => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le));

function now(): HrTime {
  const ms = Date.now();
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6];
}
