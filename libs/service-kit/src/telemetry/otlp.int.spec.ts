import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { LogOutput } from '../logging/log-output.ts';
import { METRICS, newHistogram } from '../metrics/metrics.ts';
import { TelemetrySettings } from '../settings/telemetry-settings.ts';
import { startTelemetry } from './start-telemetry.ts';
import { childContext, isSampled, withSampling } from './trace-context.ts';

interface Export {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
const exports: Export[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      exports.push({ url: request.url ?? '', headers: request.headers, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function settings(more: Partial<TelemetrySettings>): TelemetrySettings {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return Object.assign(new TelemetrySettings(), { endpoint, ...more });
}

test.each([
  ['http/protobuf', 'application/x-protobuf'],
  ['http/json', 'application/json'],
] as const)('exports all signals by %s on stop, each to its path', async (protocol, type) => {
  exports.length = 0;
  const metrics = new Registry();
  const output = new LogOutput();
  const headers = { authorization: 'Bearer abc' };
  const telemetry = await startTelemetry('gateway', settings({ protocol, headers }), { metrics, output });
  newHistogram(metrics, METRICS.projectorBatchSeconds).observe(0.2);
  const span = { name: 'run', kind: 'internal', from: 1_000, to: 1_001, attributes: {} } as const;
  telemetry.span({ ...span, context: childContext(undefined) });
  output.tap?.('{"level":"info","time":"2026-01-01T00:00:00.000Z","msg":"a line"}\n');
  await telemetry.stop();
  expect(exports.map(({ url }) => url).sort()).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces']);
  for (const { headers: sent } of exports)
    expect(sent).toMatchObject({ 'content-type': type, authorization: 'Bearer abc' });
});

test('exports a histogram with the counts between its bounds', async () => {
  exports.length = 0;
  const metrics = new Registry();
  const telemetry = await startTelemetry('gateway', settings({ protocol: 'http/json' }), {
    metrics,
    output: new LogOutput(),
  });
  const histogram = newHistogram(metrics, METRICS.projectorBatchSeconds);
  for (const seconds of [0.0005, 0.2, 0.2, 9_999]) histogram.observe(seconds);
  await telemetry.stop();
  const sent = JSON.parse(exports.find(({ url }) => url === '/v1/metrics')?.body ?? '{}');
  const [metric] = sent.resourceMetrics[0].scopeMetrics[0].metrics;
  const [point] = metric.histogram.dataPoints;
  expect(metric.name).toBe(METRICS.projectorBatchSeconds.name);
  const { explicitBounds, bucketCounts, count } = point;
  expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
  expect([count, bucketCounts[0], bucketCounts[explicitBounds.indexOf(0.25)], bucketCounts.at(-1)].map(Number)).toEqual(
    [4, 1, 2, 1],
  );
});

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

/** The attributes of the resource of each signal that one process exports. */
async function resourcesOf(more: Partial<TelemetrySettings>): Promise<Record<string, Record<string, string>>> {
  exports.length = 0;
  const metrics = new Registry();
  const output = new LogOutput();
  const telemetry = await startTelemetry('gateway', settings({ protocol: 'http/json', ...more }), { metrics, output });
  newHistogram(metrics, METRICS.projectorBatchSeconds).observe(0.2);
  const span = { name: 'run', kind: 'internal', from: 1_000, to: 1_001, attributes: {} } as const;
  telemetry.span({ ...span, context: childContext(undefined) });
  output.tap?.('{"level":"info","time":"2026-01-01T00:00:00.000Z","msg":"a line"}\n');
  await telemetry.stop();
  return Object.fromEntries(
    exports.map(({ url, body }) => {
      const [first] = Object.values(JSON.parse(body) as Record<string, { resource: { attributes: Attribute[] } }[]>);
      const attributes = first?.[0]?.resource.attributes ?? [];
      return [url, Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))];
    }),
  );
}

test('two replicas are two instances in every signal, and one instance is the same in all signals', async () => {
  const replicas = [await resourcesOf({}), await resourcesOf({})];
  const instances = replicas.map((replica) => [
    ...new Set(['traces', 'metrics', 'logs'].map((signal) => replica[`/v1/${signal}`]?.['service.instance.id'])),
  ]);
  expect(instances.map((ids) => ids.length)).toEqual([1, 1]);
  expect(instances[0]).not.toEqual(instances[1]);
  expect(instances.flat()).not.toContain(undefined);
});

test('the resource has the attributes of the operator', async () => {
  const resourceAttributes = { 'deployment.environment.name': 'test', 'service.instance.id': 'pod-1' };
  const { '/v1/metrics': resource } = await resourcesOf({ serviceName: 'edge', resourceAttributes });
  expect(resource).toEqual({ 'service.namespace': 'reins', 'service.name': 'edge', ...resourceAttributes });
});

const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

test.each([
  ['parentbased_always_on', 1, { alone: true, sampled: true, dropped: false }],
  ['parentbased_always_off', 1, { alone: false, sampled: true, dropped: false }],
  ['always_on', 1, { alone: true, sampled: true, dropped: true }],
  ['always_off', 1, { alone: false, sampled: false, dropped: false }],
  ['traceidratio', 0, { alone: false, sampled: false, dropped: false }],
  ['parentbased_traceidratio', 1, { alone: true, sampled: true, dropped: false }],
] as const)('%s with the ratio %d decides which traces are recorded', async (sampler, sampleRatio, decisions) => {
  exports.length = 0;
  const sources = { metrics: new Registry(), output: new LogOutput() };
  const telemetry = await startTelemetry('gateway', settings({ protocol: 'http/json', sampler, sampleRatio }), sources);
  const callers = { alone: undefined, sampled: { ...CALLER, traceFlags: 1 }, dropped: { ...CALLER, traceFlags: 0 } };
  for (const [name, parent] of Object.entries(callers)) {
    const own = childContext(parent);
    const context = withSampling(own, telemetry.samples(parent, own.traceId));
    telemetry.span({ name, kind: 'server', context, parentId: parent?.spanId, from: 1, to: 2, attributes: {} });
    expect({ [name]: isSampled(context) }).toEqual({ [name]: decisions[name as keyof typeof decisions] });
  }
  await telemetry.stop();
  const traces = exports.filter(({ url }) => url === '/v1/traces').map(({ body }) => JSON.parse(body));
  const names = traces.flatMap(({ resourceSpans }) =>
    resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name),
  );
  const recorded = Object.keys(decisions).filter((name) => decisions[name as keyof typeof decisions]);
  expect(names.sort()).toEqual(recorded.sort());
});

test('does nothing without an endpoint, and rejects one that is not a URL', async () => {
  const none = await startTelemetry('gateway', new TelemetrySettings(), {
    metrics: new Registry(),
    output: new LogOutput(),
  });
  expect(none.on).toBe(false);
  const wrong = settings({ endpoint: 'not a url' });
  await expect(startTelemetry('gateway', wrong, { metrics: new Registry(), output: new LogOutput() })).rejects.toThrow(
    'telemetry.endpoint must be a URL',
  );
});
