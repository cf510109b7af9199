import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SERVICE_NAMES } from '@reins/service-kit';
import { repositoryRoot } from '@reins/testing';
import { parse } from 'yaml';
import { render } from './testing/helm.ts';
import { ofKind, partOf, podsOf, selects } from './testing/manifest.ts';
import { VARIANTS } from './testing/variants.ts';

interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly annotations: Record<string, string> }[] }[];
}

const alerts = (): Alerts => parse(readFileSync(join(repositoryRoot, 'deploy/prometheus/alerts.yaml'), 'utf8'));

test('the alerts are those of deploy/prometheus', async () => {
  const [rule] = ofKind(await render(VARIANTS.production), 'PrometheusRule');
  expect(rule?.spec).toEqual(alerts());
});

test('each alert links to its section if the values say where the document is', async () => {
  const [rule] = ofKind(await render(VARIANTS['external servers with NKeys']), 'PrometheusRule');
  const expected = alerts();
  for (const { annotations } of expected.groups.flatMap(({ rules }) => rules)) {
    annotations.runbook_url = 'https://docs.example.com/operating#alerts';
  }
  expect(rule?.spec).toEqual(expected);
  expect(rule?.metadata.labels).toMatchObject({ a: 'b' });
});

test('the monitor selects every service', async () => {
  const manifests = await render(VARIANTS.production);
  const [monitor] = ofKind(manifests, 'PodMonitor');
  const selected = podsOf(manifests).filter(({ labels }) => selects(monitor?.spec?.selector ?? {}, labels));
  expect([...new Set(selected.map(({ labels }) => partOf(labels)))].sort()).toEqual([...SERVICE_NAMES].sort());
});

test('the dashboard is that of deploy/grafana', async () => {
  const map = ofKind(await render(VARIANTS.production), 'ConfigMap').find(({ metadata }) =>
    metadata.name.endsWith('dashboard'),
  );
  const dashboard: unknown = JSON.parse(map?.data?.['reins.json'] ?? '');
  expect(dashboard).toEqual(JSON.parse(readFileSync(join(repositoryRoot, 'deploy/grafana/reins.json'), 'utf8')));
});
