import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { type RunningService, SERVICE_NAMES, Settings, startService } from '@reins/service-kit';
import { startNats, type TestNats } from '@reins/testing';
import { render } from './testing/helm.ts';
import { type Container, type Manifest, ofKind, type Probe, partOf, podsOf } from './testing/manifest.ts';
import { VARIANTS } from './testing/variants.ts';

@Module({})
class Nothing {}

const NAMES: readonly string[] = SERVICE_NAMES;

let nats: TestNats;
let service: RunningService;
let manifests: Manifest[];

beforeAll(async () => {
  manifests = await render(VARIANTS.production);
  nats = await startNats();
  const settings = new Settings();
  settings.nats.url = nats.url;
  settings.http.portBase = 0;
  settings.log.level = 'error';
  // The routes of health and metrics are those of every service.
  service = await startService({ name: 'narrator', module: Nothing }, settings);
});

afterAll(async () => {
  await service.stop();
  await nats.stop();
});

const probesOf = ({ startupProbe, livenessProbe, readinessProbe }: Container): (Probe | undefined)[] => [
  startupProbe,
  livenessProbe,
  readinessProbe,
];

test('every service has three probes, on its own port, and they call routes that it has', async () => {
  const containers = podsOf(manifests)
    .filter(({ labels }) => NAMES.includes(partOf(labels)))
    .flatMap(({ spec }) => spec.containers ?? []);
  const paths = new Set<string>();
  for (const container of containers) {
    const place = NAMES.indexOf(container.name);
    expect(container.ports).toEqual([{ name: 'http', containerPort: new Settings().http.portBase + place }]);
    for (const probe of probesOf(container)) {
      expect(probe?.httpGet?.port).toBe('http');
      paths.add(probe?.httpGet?.path ?? '');
    }
  }
  expect([...paths].sort()).toEqual(['/healthz', '/readyz']);
  for (const path of paths) expect((await fetch(`${service.url}${path}`)).status).toBe(200);
});

test('the monitor scrapes a port and a route that every service has', async () => {
  const [monitor] = ofKind(manifests, 'PodMonitor');
  const [endpoint] = monitor?.spec?.podMetricsEndpoints ?? [];
  expect(endpoint?.port).toBe('http');
  const response = await fetch(`${service.url}${endpoint?.path}`);
  expect(await response.text()).toContain('reins_ready{service="narrator"} 1');
});
