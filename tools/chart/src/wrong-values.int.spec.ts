import { expect, test } from '@jest/globals';
import { helm, type Values } from './testing/helm.ts';

/** A host pool with one more member. */
const pool = (member: Values): Values => ({ hostPools: [{ name: 'a', runtimes: ['pi'], ...member }] });
const provider = (member: Values): Values => ({
  settings: { providers: { a: { api: 'openai-completions', base_url: 'https://a/v1', ...member } } },
});

/** Wrong values, and the path that Helm names. */
const WRONG: readonly (readonly [path: string, values: Values])[] = [
  // settings of Reins
  ['/settings/log/level', { settings: { log: { level: 'loud' } } }],
  ['/settings/limits/stage_max_attempts', { settings: { limits: { stage_max_attempts: 0 } } }],
  ['/settings/limits/stageRunForMs', { settings: { limits: { stageRunForMs: 'long' } } }],
  ["/settings/limits': additional properties 'stage_run_for'", { settings: { limits: { stage_run_for: 1 } } }],
  ["/settings': additional properties 'limit'", { settings: { limit: {} } }],
  ['/settings/nats/partitions', { settings: { nats: { partitions: 257 } } }],
  ['/settings/runtime_profile/default', { settings: { runtime_profile: { default: 'not a token' } } }],
  [
    "/settings/runtime_profile/stages': additional properties 'run'",
    { settings: { runtime_profile: { stages: { run: 'pi' } } } },
  ],
  ['/settings/telemetry/sample_ratio', { settings: { telemetry: { sample_ratio: 2 } } }],
  ['/settings/telemetry/endpoint', { settings: { telemetry: { endpoint: 'http://user:password@collector' } } }],
  ['/settings/providers/a/api', provider({ api: 'openai' })],
  ['/settings/providers/a/base_url', provider({ base_url: 'https://user:password@a/v1' })],
  ['/settings/providers/a/models/m/thinking', provider({ models: { m: { thinking: 'much' } } })],
  ["/settings/providers/a': missing property 'api'", { settings: { providers: { a: { base_url: 'https://a/v1' } } } }],
  // secrets, and what the chart sets
  ["/settings/providers/a': additional properties 'api_key'", provider({ api_key: 'sk-1' })],
  ["/settings/providers/a': additional properties 'apiKey'", provider({ apiKey: 'sk-1' })],
  ["/settings/nats': additional properties 'token'", { settings: { nats: { token: 'secret' } } }],
  ["/settings/nats': additional properties 'url'", { settings: { nats: { url: 'nats://a' } } }],
  ["/settings/database': additional properties 'url'", { settings: { database: { url: 'postgres://a' } } }],
  ["/settings/telemetry': additional properties 'headers'", { settings: { telemetry: { headers: { key: 'a' } } } }],
  ["/settings': additional properties 'http'", { settings: { http: { port: 80 } } }],
  // the chart's own values
  ["'': additional properties 'replicas'", { replicas: 2 }],
  ['/image/pullPolicy', { image: { pullPolicy: 'Sometimes' } }],
  ['/services/gateway/replicas', { services: { gateway: { replicas: -1 } } }],
  ["/services': additional properties 'recall'", { services: { recall: {} } }],
  ["/services/projector': additional properties 'autoscaling'", { services: { projector: { autoscaling: {} } } }],
  [
    '/services/gateway/resources/limits/memory',
    { services: { gateway: { resources: { limits: { memory: '1 GB' } } } } },
  ],
  ['/services/gateway/tolerations/0/effect', { services: { gateway: { tolerations: [{ effect: 'Never' }] } } }],
  ['/services/gateway/autoscaling/cpuPercent', { services: { gateway: { autoscaling: { cpuPercent: 0 } } } }],
  ['/hostPools', { hostPools: [] }],
  ['/hostPools/0/name', pool({ name: 'Not A Name' })],
  ['/hostPools/0/runtimes', pool({ runtimes: [] })],
  ['/hostPools/0/slots', pool({ slots: 1001 })],
  ['/hostPools/0/sandbox', pool({ sandbox: 'maybe' })],
  ['/hostPools/0/network', pool({ network: 'closed' })],
  ['/hostPools/0/allow/0', pool({ allow: ['https://example.com'] })],
  ['/hostPools/0/gpu', pool({ gpu: 'one' })],
  ["/hostPools/0': additional properties 'privileged'", pool({ privileged: true })],
  ['/hostSecrets/KEY', { hostSecrets: { KEY: 'sk-1' } }],
  ["/hostSecrets/KEY': missing property 'key'", { hostSecrets: { KEY: { secret: 'a' } } }],
  ['/telemetryHeaders', { telemetryHeaders: { secret: 'a' } }],
  ['/nats/mode', { nats: { mode: 'embedded' } }],
  ['/nats/replicas', { nats: { replicas: 2 } }],
  ['/nats/auth/type', { nats: { auth: { type: 'nkeys' } } }],
  ['/nats/auth/secret', { nats: { auth: { secret: '' } } }],
  ['/nats/external/url', { nats: { mode: 'external' } }],
  ['/nats/external/url', { nats: { mode: 'external', external: { url: 'nats://user:password@a' } } }],
  ['/nats/bundled/storage/size', { nats: { bundled: { storage: { size: 'big' } } } }],
  ['/nats/bundled/syncInterval', { nats: { bundled: { syncInterval: 'often' } } }],
  ['/database/mode', { database: { mode: 'sqlite' } }],
  ['/database/secret', { database: { secret: '' } }],
  ['/migrations/mode', { migrations: { mode: 'manual' } }],
  ['/topologySpread/whenUnsatisfiable', { topologySpread: { whenUnsatisfiable: 'Ignore' } }],
  ['/ingress/host', { ingress: { enabled: true } }],
  ['/networkPolicy/enabled', { networkPolicy: { enabled: 'yes' } }],
  ['/networkPolicy/nats/ports/0', { networkPolicy: { nats: { ports: [70_000] } } }],
  [
    '/networkPolicy/gatewayFrom/0/ipBlock/cidr',
    { networkPolicy: { gatewayFrom: [{ ipBlock: { cidr: '10.0.0.1' } }] } },
  ],
  ['/monitoring/labels/a', { monitoring: { labels: { a: 1 } } }],
];

test.each(WRONG)('refused: %s', async (path, values) => {
  const { code, errors } = await helm('template', { values });
  expect(code).not.toBe(0);
  expect(errors).toContain(path);
});
