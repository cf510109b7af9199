import type { Variant } from './helm.ts';

/** Ways to install the chart that together use every template and every branch. */
export const VARIANTS: Readonly<Record<string, Variant>> = {
  default: {},
  small: { file: 'values-small.yaml' },
  production: { file: 'values-production.yaml' },
  'external servers with NKeys': {
    values: {
      nats: {
        mode: 'external',
        replicas: 3,
        auth: { type: 'nkeys', secret: 'nats-seeds' },
        external: { url: 'nats://a.nats:4222,nats://b.nats:4222', managed: 'external' },
      },
      networkPolicy: { nats: { peers: [{ ipBlock: { cidr: '10.1.0.0/24' } }] }, metricsFrom: [{ podSelector: {} }] },
      migrations: { mode: 'hook' },
      monitoring: {
        podMonitor: true,
        rules: true,
        runbookUrl: 'https://docs.example.com/operating',
        labels: { a: 'b' },
      },
    },
  },
  'external NATS with a password': {
    values: {
      nats: { mode: 'external', auth: { type: 'password' }, external: { url: 'tls://nats.example.com:4222' } },
      ingress: { enabled: true, host: 'reins.example.com', tlsSecret: 'certificate', className: 'nginx' },
      migrations: { mode: 'none' },
      toolbox: { enabled: false },
    },
  },
  'external NATS with credentials': {
    values: {
      nats: { mode: 'external', auth: { type: 'credentials' }, external: { url: 'nats://nats.example.com' } },
      networkPolicy: { hosts: { internet: false }, gatewayFrom: [{ namespaceSelector: {} }] },
    },
  },
  'providers and pools': {
    values: {
      image: { registry: 'registry.example.com/team', tag: '1.2.3', pullSecrets: ['pull'] },
      settings: {
        providers: {
          my_llm: { api: 'openai-completions', base_url: 'https://llm.example.com/v1', api_key_env: 'KEY' },
        },
        runtime_profile: { default: 'pi' },
        limits: { stageRunForMs: 60_000 },
        log: { level: 'debug' },
        nats: { partitions: 32 },
        database: { pool_size: 9 },
      },
      hostSecrets: { KEY: { secret: 'model-keys', key: 'llm' } },
      telemetryHeaders: { secret: 'telemetry', key: 'headers' },
      hostPools: [
        {
          name: 'gpu',
          runtimes: ['pi'],
          slots: 2,
          warm: 0,
          sandbox: 'required',
          network: 'allow-list',
          allow: ['registry.npmjs.org', '*.pypi.org:443'],
          image: 'registry.example.com/hosts:1',
          gpu: 1,
          runtimeClassName: 'gvisor',
          nodeSelector: { gpu: 'yes' },
          tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
          autoscaling: { enabled: true, minReplicas: 1, maxReplicas: 4, cpuPercent: 50 },
        },
        { name: 'small', runtimes: ['echo', 'pi'] },
      ],
      networkPolicy: {
        egress: [{ to: [{ ipBlock: { cidr: '10.9.0.0/16' } }], ports: [{ protocol: 'TCP', port: 4318 }] }],
        hosts: { egress: [{ to: [{ podSelector: { matchLabels: { app: 'proxy' } } }] }] },
      },
    },
  },
  'no policies, no authentication': {
    values: { networkPolicy: { enabled: false }, nats: { auth: { type: 'none', secret: '' } } },
  },
};
