import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createFileRegistry, type DescMessage, fromBinary, type JsonValue, toJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { LogOutput } from '../logging/log-output.ts';
import { METRICS, newHistogram } from '../metrics/metrics.ts';
import { TelemetrySettings } from '../settings/telemetry-settings.ts';
import { startTelemetry } from './start-telemetry.ts';
import { childContext, readTrace } from './trace-context.ts';

const DEFINITIONS = new URL('../../testdata/otlp.binpb', import.meta.url);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(DEFINITIONS)));
/** The request of each signal, by its path. */
const REQUESTS: Readonly<Record<string, string>> = {
  '/v1/traces': 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
  '/v1/metrics': 'opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest',
  '/v1/logs': 'opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest',
};
const CALLER = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=1,other=2',
};

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}
/** What the three signals have in common: resources, scopes and items. */
interface Decoded {
  readonly path: string;
  readonly instance: string | undefined;
  readonly items: readonly Record<string, JsonValue>[];
}

let server: Server;
const bodies: { readonly path: string; readonly body: Buffer }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push({ path: request.url ?? '', body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Starts a replica, which exports one span, one metric and one log line when it stops. */
async function exportFromReplica(): Promise<void> {
  const metrics = new Registry();
  const output = new LogOutput();
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = Object.assign(new TelemetrySettings(), { endpoint, protocol: 'http/protobuf' });
  const telemetry = await startTelemetry('control-bus', settings, { metrics, output });
  newHistogram(metrics, METRICS.projectorBatchSeconds).observe(0.2);
  const parent = readTrace(CALLER);
  const times = { from: 1_000, to: 1_001 };
  telemetry.span({
    name: 'run',
    kind: 'internal',
    context: childContext(parent),
    parentId: parent?.spanId,
    attributes: {},
    ...times,
  });
  output.tap?.('{"level":"info","time":"2026-01-01T00:00:00.000Z","msg":"a line"}\n');
  await telemetry.stop();
}

function decoded(path: string, body: Buffer): Decoded {
  const schema = registry.getMessage(REQUESTS[path] ?? '') as DescMessage;
  const json = toJson(schema, fromBinary(schema, body, { readUnknownFields: true }), { registry });
  const [resources] = Object.values(json as object) as [
    { resource: { attributes: Attribute[] }; [scopes: string]: unknown }[],
  ];
  const [first] = resources;
  const { resource, ...scopes } = first ?? { resource: { attributes: [] } };
  const [scope] = Object.values(scopes).flat() as Record<string, JsonValue[]>[];
  const items = (scope?.spans ?? scope?.metrics ?? scope?.logRecords ?? []) as Record<string, JsonValue>[];
  const instance = resource.attributes.find(({ key }) => key === 'service.instance.id')?.value.stringValue;
  return { path, instance, items };
}

test('the official definitions decode every signal, and two replicas are two instances', async () => {
  await exportFromReplica();
  await exportFromReplica();
  const exports = bodies.map(({ path, body }) => decoded(path, body));
  const byInstance = Map.groupBy(exports, ({ instance }) => instance);
  expect([...byInstance.keys()].map((id) => typeof id)).toEqual(['string', 'string']);
  for (const signals of byInstance.values()) {
    const items = Object.fromEntries(signals.map(({ path, items }) => [path, items]));
    expect(items).toEqual({
      '/v1/traces': [
        expect.objectContaining({ name: 'run', kind: 'SPAN_KIND_INTERNAL', traceState: CALLER.tracestate }),
      ],
      '/v1/metrics': [expect.objectContaining({ name: METRICS.projectorBatchSeconds.name })],
      '/v1/logs': [expect.objectContaining({ body: { stringValue: 'a line' }, severityText: expect.any(String) })],
    });
  }
});
