import { hostSetting, type JsonSchema, settingsPart } from './settings-part.ts';

const object = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});
const mapOf = (member: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: member });
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const oneOf = (...values: readonly unknown[]): JsonSchema => ({ enum: values });
/** If `condition` holds, `consequence` must hold, too. An object literal with a member `then` looks like a promise. */
const implies = (condition: JsonSchema, consequence: JsonSchema): JsonSchema =>
  Object.fromEntries([
    ['if', condition],
    ['then', consequence],
  ]);

/** A schema of the object that has `schema`, or one value, at a path. */
const at = ([name = '', ...rest]: readonly string[], what: string | JsonSchema): JsonSchema => ({
  properties: { [name]: rest.length > 0 ? at(rest, what) : typeof what === 'string' ? { const: what } : what },
});

const text: JsonSchema = { type: 'string' };
const someText: JsonSchema = { type: 'string', minLength: 1 };
const flag: JsonSchema = { type: 'boolean' };
const count: JsonSchema = { type: 'integer', minimum: 1 };
const port: JsonSchema = { type: 'integer', minimum: 1, maximum: 65_535 };
const texts = mapOf(text);
/** The name of an object of Kubernetes. */
const objectName: JsonSchema = { type: 'string', pattern: '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$' };
const quantity: JsonSchema = {
  type: ['string', 'number'],
  pattern: '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$',
};
const secretKey = object({ secret: objectName, key: { type: 'string', pattern: '^[A-Za-z0-9._-]+$' } }, [
  'secret',
  'key',
]);
const resources = object({ requests: mapOf(quantity), limits: mapOf(quantity) });
const tolerations = listOf(
  object({
    key: text,
    operator: oneOf('Exists', 'Equal'),
    value: text,
    effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
    tolerationSeconds: { type: 'integer' },
  }),
);
const placement = { nodeSelector: texts, tolerations };
const storage = object({ size: quantity, className: text });
const autoscaling = object({
  enabled: flag,
  minReplicas: count,
  maxReplicas: count,
  cpuPercent: { type: 'integer', minimum: 1, maximum: 1000 },
});

const worker = object({ replicas: { type: 'integer', minimum: 0 }, resources, ...placement, autoscaling });
/** Of several replicas only one is active, so more do not scale it. */
const single = object({ replicas: { type: 'integer', minimum: 0 }, resources, ...placement });

const cidr: JsonSchema = { type: 'string', pattern: '^[0-9a-fA-F.:]+/[0-9]{1,3}$' };
const peers = listOf(
  object({
    podSelector: { type: 'object' },
    namespaceSelector: { type: 'object' },
    ipBlock: object({ cidr, except: listOf(cidr) }, ['cidr']),
  }),
);
const egressRules = listOf(
  object({
    to: peers,
    ports: listOf(
      object({ protocol: oneOf('TCP', 'UDP', 'SCTP'), port: { type: ['integer', 'string'] }, endPort: port }),
    ),
  }),
);
const server = object({ peers, ports: listOf(port) });

/**
 * The schema of the values of the chart (`values.schema.json`).
 * @param settings docs/settings.schema.json
 */
export function valuesSchema(settings: JsonSchema): JsonSchema {
  const setting = (name: string) => hostSetting(settings, name);
  const hostPool = object(
    {
      name: { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$' },
      replicas: { type: 'integer', minimum: 0 },
      runtimes: { ...setting('runtimes'), type: 'array', minItems: 1 },
      ...Object.fromEntries(['slots', 'warm', 'sandbox', 'network', 'allow'].map((name) => [name, setting(name)])),
      image: someText,
      gpu: { type: 'integer', minimum: 0 },
      runtimeClassName: text,
      resources,
      ...placement,
      autoscaling,
    },
    ['name', 'runtimes'],
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart of Reins',
    ...object({
      // Helm passes it to a chart that is a dependency of another one.
      global: { type: 'object' },
      image: object({
        registry: text,
        repository: text,
        tag: text,
        pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
        pullSecrets: listOf(objectName),
      }),
      settings: settingsPart(settings),
      hostSecrets: { ...mapOf(secretKey), propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
      telemetryHeaders: { type: 'object', ...implies({ minProperties: 1 }, secretKey) },
      services: object({
        gateway: worker,
        'plan-compiler': worker,
        'runner-prep': worker,
        'control-bus': worker,
        memory: worker,
        projector: single,
        narrator: single,
      }),
      hostPools: { ...listOf(hostPool), minItems: 1 },
      toolbox: object({ enabled: flag, resources }),
      nats: natsSchema(),
      database: object({
        mode: oneOf('external', 'bundled'),
        secret: objectName,
        bundled: object({ image: someText, storage, resources }),
      }),
      migrations: object({ mode: oneOf('job', 'hook', 'none') }),
      topologySpread: object({ whenUnsatisfiable: oneOf('ScheduleAnyway', 'DoNotSchedule') }),
      ingress: {
        ...object({ enabled: flag, className: text, host: text, tlsSecret: text, annotations: texts }),
        ...implies({ ...at(['enabled'], { const: true }), required: ['enabled'] }, at(['host'], someText)),
      },
      networkPolicy: object({
        enabled: flag,
        gatewayFrom: peers,
        metricsFrom: peers,
        dns: peers,
        nats: server,
        database: server,
        hosts: object({ internet: flag, egress: egressRules }),
        egress: egressRules,
      }),
      monitoring: object({ podMonitor: flag, rules: flag, runbookUrl: text, dashboard: flag, labels: texts }),
    }),
  };
}

function natsSchema(): JsonSchema {
  return {
    ...object({
      mode: oneOf('bundled', 'external'),
      replicas: oneOf(1, 3, 5),
      auth: object({ type: oneOf('none', 'token', 'password', 'credentials', 'nkeys'), secret: text }),
      external: object({ url: text, managed: oneOf('self', 'external') }),
      bundled: object({
        image: someText,
        storage,
        resources,
        ...placement,
        syncInterval: { type: 'string', pattern: '^(always|[0-9]+(ms|s|m|h))$' },
      }),
    }),
    allOf: [
      implies(at(['mode'], 'external'), at(['external', 'url'], { pattern: '^(nats|tls|ws|wss)://[^@]+$' })),
      implies(at(['mode'], 'bundled'), at(['auth', 'type'], oneOf('none', 'token'))),
      implies({ not: at(['auth', 'type'], 'none') }, at(['auth', 'secret'], objectName)),
    ],
  };
}
