import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { METRICS, type MetricDefinition } from './metrics.ts';
import { ALARM_RATIO } from './stream-monitor.ts';

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** The series names of every metric. */
const SERIES = new Map(
  Object.values(METRICS).flatMap((rule: MetricDefinition) => seriesOf(rule).map((name) => [name, rule])),
);
/** Labels that Prometheus adds, and the label of histogram buckets. */
const EVERYWHERE = ['service', 'instance', 'job', 'le'];

function seriesOf({ name, kind }: MetricDefinition): string[] {
  return kind === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name];
}

interface Query {
  readonly where: string;
  readonly expr: string;
}

const alerts: readonly { alert: string; expr: string; annotations: Record<string, string> }[] = parse(
  read('deploy/prometheus/alerts.yaml'),
).groups[0].rules;
const dashboard = JSON.parse(read('deploy/grafana/reins.json'));

const queries: Query[] = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap((panel: { title: string; targets?: { expr: string }[] }) =>
    (panel.targets ?? []).map(({ expr }) => ({ where: panel.title, expr })),
  ),
  ...dashboard.templating.list.flatMap(({ name, query }: { name: string; query: string }) =>
    name === 'service' ? [{ where: name, expr: query }] : [],
  ),
];

/** Whether the expression is valid PromQL. */
function isPromql(expr: string): boolean {
  let valid = true;
  parser.parse(expr).iterate({
    enter: ({ type }) => {
      if (type.isError) valid = false;
    },
  });
  return valid;
}

describe('alerts and the dashboard', () => {
  test('query only existing series', () => {
    const unknown = queries.flatMap(({ where, expr }) =>
      [...expr.matchAll(/reins_\w+/g)].filter(([name]) => !SERIES.has(name)).map(([name]) => `${where}: ${name}`),
    );
    expect(unknown).toEqual([]);
    expect(queries.every(({ expr }) => expr.includes('reins_'))).toBe(true);
  });

  test('are valid PromQL', () => {
    const broken = queries
      .filter(({ where }) => where !== 'service') // uses a Grafana function around a series
      .filter(({ expr }) => !isPromql(expr.replaceAll('$__rate_interval', '5m').replaceAll('$service', '.*')));
    expect(broken).toEqual([]);
    expect(isPromql('sum by (x (up)')).toBe(false);
  });

  test('select and group by existing labels', () => {
    const wrong = queries.flatMap(({ where, expr }) => {
      const rules = [...expr.matchAll(/reins_\w+/g)].map(([name]) => SERIES.get(name));
      const known = new Set([...EVERYWHERE, ...rules.flatMap((rule) => rule?.labels ?? [])]);
      const selected = [...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label]) => label ?? '');
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/));
      return [...selected, ...grouped].filter((label) => !known.has(label)).map((label) => `${where}: ${label}`);
    });
    expect(wrong).toEqual([]);
  });

  test('use every metric', () => {
    const queried = new Set(queries.flatMap(({ expr }) => [...expr.matchAll(/reins_\w+/g)].map(([name]) => name)));
    const missing = Object.values(METRICS).filter((rule) => !seriesOf(rule).some((name) => queried.has(name)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('raise the stream alarm at the same ratio as the log line', () => {
    expect(alerts.find(({ alert }) => alert === 'ReinsStreamFillingUp')?.expr).toContain(`>= ${ALARM_RATIO}`);
  });
});

describe('docs/operating.md', () => {
  const document = read('docs/operating.md');

  test('names every metric with its service and labels, and no other', () => {
    const rows = [...document.matchAll(/^\| `(reins_\w+)` \| ([\w -]+) \| ([^|]*) \|/gm)];
    expect(
      new Set(rows.map(([, name, service, labels]) => `${name} ${service} ${labels?.replaceAll(/[`,]/g, '').trim()}`)),
    ).toEqual(
      new Set(
        Object.values(METRICS).map(
          ({ name, service, labels }: MetricDefinition) => `${name} ${service} ${labels.join(' ') || '–'}`,
        ),
      ),
    );
  });

  test('documents every alert', () => {
    for (const { alert, annotations } of alerts) {
      expect(document).toContain(`| \`${alert}\` |`);
      expect(Object.keys(annotations)).toEqual(['summary', 'description']);
    }
    expect(alerts).toHaveLength(9);
  });
});
