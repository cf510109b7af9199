import type { Metric, Registry } from 'prom-client';
import { DURATION_BUCKETS, type MetricDefinition } from './metrics.ts';

/** One series of a histogram. Its labels are resolved once, not for every value. */
export class Series {
  readonly labels: Readonly<Record<string, string>>;
  /** Counts per bucket: values up to the bound and above the previous one. The last bucket has no bound. */
  readonly counts: number[] = new Array(DURATION_BUCKETS.length + 1).fill(0);
  sum = 0;

  constructor(labels: Readonly<Record<string, string>>) {
    this.labels = labels;
  }

  observe(seconds: number): void {
    let at = 0;
    while (at < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[at] as number)) at += 1;
    this.counts[at] = (this.counts[at] as number) + 1;
    this.sum += seconds;
  }
}

/**
 * A histogram for values recorded with every message. Recording is one addition; prom-client's histogram hashes the
 * labels each time, which costs a tenth of handling a small message.
 */
export class SeriesHistogram {
  readonly #rule: MetricDefinition;
  readonly #series = new Set<Series>();

  constructor(registry: Registry, rule: MetricDefinition) {
    this.#rule = rule;
    const metric = { name: rule.name, get: async () => this.#read(), reset: () => this.#series.clear() };
    // A registry uses only these members of a metric; the type is that of prom-client's own classes.
    registry.registerMetric(metric as unknown as Metric);
  }

  series(labels: Readonly<Record<string, string>>): Series {
    const series = new Series(labels);
    this.#series.add(series);
    return series;
  }

  #read(): object {
    const { name, help } = this.#rule;
    const values = [...this.#series].flatMap((series) => valuesOf(name, series));
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }
}

function valuesOf(name: string, { labels, counts, sum }: Series): object[] {
  let cumulative = 0;
  const buckets = counts.map((count, index) => {
    cumulative += count;
    return {
      metricName: `${name}_bucket`,
      labels: { ...labels, le: DURATION_BUCKETS[index] ?? '+Inf' },
      value: cumulative,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: cumulative },
  ];
}
